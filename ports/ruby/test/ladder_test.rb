# frozen_string_literal: true

require_relative "helper"

class LadderTest < Samewait::Test
  include Samewait

  LABELS = { 500 => "500ms", 1000 => "1s", 33_750 => "33750ms", 60_000 => "1m", 90_000 => "90s",
             5_400_000 => "90m", 7_200_000 => "2h", 86_400_000 => "24h" }.freeze

  def fixed(delay) = RetryPolicy.fixed(2, delay)
  def names(policy, **options) = policy.ladder("q", **options).map(&:name)

  def test_the_example_of_the_chapter
    ladder = RetryPolicy.exponential(11, 0.1, 3600).ladder("orders", exchange: "x")
    arguments = { "x-message-ttl" => 51_200, "x-dead-letter-exchange" => "x", "x-dead-letter-routing-key" => "orders" }
    assert_equal [Rung.new("orders.retry.51200ms", 51_200, arguments)], ladder.to_a
  end

  def test_labels
    LABELS.each { |ttl_ms, label| assert_equal ["q.retry.#{label}"], names(fixed(ttl_ms / 1000.0), threshold: 0.1) }
  end

  def test_threshold
    assert_equal ["q.retry.30s"], names(fixed(30))
    assert_empty names(fixed(30.0.prev_float))
    assert_empty names(fixed(30), threshold: 0)
  end

  # 0.0625 s * 1000 is 62.5 exactly, and 0.0005 * 1000 is 0.5: halves go up.
  def test_ttl_rounding
    assert_equal ["q.retry.63ms"], names(fixed(0.0625), threshold: 1e-9)
    assert_equal ["q.retry.1ms"], names(fixed(0.0005), threshold: 1e-9)
    assert_empty names(fixed(0.0004), threshold: 1e-9)
    assert_nil fixed(0.0005).ladder("q", threshold: 1e-9).rung_for(0.0004)
  end

  def test_one_rung_for_one_ttl
    policy = RetryPolicy.new(max_attempts: 4, initial_delay: 1.0, multiplier: 1.0001)
    assert_equal ["q.retry.1s"], names(policy, threshold: 1)
  end

  def test_a_huge_schedule_is_no_trouble
    assert_equal %w[q.retry.30s q.retry.1m], names(RetryPolicy.exponential(HUGE, 30, 60))
  end

  def test_too_long_for_a_broker
    longest = 315_360_000.0
    assert_equal ["q.retry.87600h"], names(fixed(longest))
    assert_equal :rung_too_long, rejects(RungTooLong, nil) { names(fixed(longest + 0.001)) }.code
    assert_empty names(fixed(longest + 0.001), threshold: 0)
  end

  def test_rung_for
    ladder = RetryPolicy.exponential(5, 30).ladder("q") # 30, 60, 120, 240
    assert_nil ladder.rung_for(29.9)
    assert_equal "q.retry.30s", ladder.rung_for(30)
    assert_equal "q.retry.1m", ladder.rung_for(30.001)
    assert_equal "q.retry.2m", ladder.rung_for(120)
    assert_equal "q.retry.4m", ladder.rung_for(HORIZON)
    assert_nil RetryPolicy.none.ladder("q").rung_for(60)
  end

  def test_arguments_in_their_order
    rejects(InvalidArgument, :queue) { fixed(HORIZON).ladder("", threshold: -1) }
    rejects(InvalidArgument, :threshold) { fixed(HORIZON).ladder("q", threshold: Float::NAN) }
    rejects(InvalidArgument, :delay) { fixed(1).ladder("q").rung_for(-1) }
  end
end
