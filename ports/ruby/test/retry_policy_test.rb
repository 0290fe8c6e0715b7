# frozen_string_literal: true

require_relative "helper"
require "rbconfig"

class RetryPolicyTest < Samewait::Test
  include Samewait

  NAN = Float::NAN
  INFINITY = Float::INFINITY

  def policy(**fields) = RetryPolicy.new(max_attempts: 5, initial_delay: 1.0, **fields)

  def test_defaults
    assert_equal({ max_attempts: 1, initial_delay: 0.0, multiplier: 2.0, max_delay: 0.0,
                   jitter_factor: 0.0, max_message_age: 0.0 }, RetryPolicy.none.to_h)
  end

  def test_factories
    assert_equal RetryPolicy.new(max_attempts: 3, initial_delay: 7.0, multiplier: 1.0), RetryPolicy.fixed(3, 7)
    assert_equal RetryPolicy.new(max_attempts: 3, initial_delay: 7.0, max_delay: 9.0, jitter_factor: 0.2),
                 RetryPolicy.exponential(3, 7, 9)
  end

  def test_copies_leave_the_original_alone
    original = policy(max_delay: 10)
    copy = original.give_up_after(60).with_jitter(1)
    assert_equal policy(max_delay: 10), original
    assert_equal policy(max_delay: 10, max_message_age: 60, jitter_factor: 1), copy
    assert_predicate copy, :frozen?
  end

  def test_integers_become_floats
    assert_instance_of Float, RetryPolicy.fixed(2, 3).backoff(1)
    assert_equal 2.5, RetryPolicy.new(max_attempts: 3, initial_delay: 1, multiplier: 5/2r).backoff(2)
  end

  def test_both_ends_of_each_range_are_legal
    { max_attempts: [1, HUGE], initial_delay: [0, HORIZON], multiplier: [1, Float::MAX], max_delay: [0, HORIZON],
      jitter_factor: [0, 1], max_message_age: [0, HORIZON] }.each do |field, ends|
      ends.each { |value| assert_equal value, RetryPolicy.new(field => value).public_send(field) }
    end
  end

  def test_values_outside_are_rejected
    { max_attempts: [0, -1, HUGE + 1, 2**64], initial_delay: [-5e-324, HORIZON.next_float, NAN, INFINITY],
      multiplier: [1.0.prev_float, NAN, INFINITY, -INFINITY], max_delay: [-1, HORIZON.next_float, NAN],
      jitter_factor: [-0.1, 1.0.next_float, NAN], max_message_age: [-1, INFINITY, NAN] }.each do |field, values|
      values.each { |value| rejects(InvalidPolicy, field) { RetryPolicy.new(field => value) } }
    end
  end

  def test_the_first_field_of_the_table_is_named
    error = rejects(InvalidPolicy, :multiplier) { RetryPolicy.new(max_message_age: -1, multiplier: 0.5) }
    assert_equal :invalid_policy, error.code
    assert_equal "multiplier must be in 1.0..1.7976931348623157e+308, got 0.5", error.message
    rejects(InvalidPolicy, :initial_delay) { RetryPolicy.fixed(3, -1) }
    rejects(InvalidPolicy, :max_message_age) { policy.give_up_after(-1).with_jitter(2) }
  end

  def test_a_wrong_type_is_no_rejection
    assert_raises(TypeError) { RetryPolicy.new(max_attempts: 3.0) }
    assert_raises(TypeError) { RetryPolicy.new(initial_delay: "1") }
    assert_raises(TypeError) { policy.backoff(nil) }
  end

  def test_negative_zero_is_zero
    assert_bits 0.0, RetryPolicy.new(initial_delay: -0.0).initial_delay
    assert_bits 0.0, policy(jitter_factor: 0.5).jittered(-0.0, -0.0)
  end

  def test_doubling
    capped = policy(max_delay: 10)
    assert_equal [1.0, 2.0, 4.0, 8.0], capped.schedule.to_a
    assert_equal [1.0, 2.0, 4.0, 8.0, 10.0, 10.0], (1..6).map { |attempt| capped.backoff(attempt) }
    assert_equal 10.0, capped.backoff(5000)
    assert_equal 2.0, RetryPolicy.new(initial_delay: 5, max_delay: 2).backoff(1)
  end

  def test_attempts_out_of_range
    [0, -1, HUGE + 1].each { |attempt| rejects(InvalidArgument, :attempt) { policy.backoff(attempt) } }
  end

  def test_each_product_is_rounded_once
    assert_equal 114.99999999999999, RetryPolicy.new(initial_delay: 100, multiplier: 1.15).backoff(2)
    assert_equal 121.00000000000003, RetryPolicy.new(initial_delay: 100, multiplier: 1.1).backoff(3)
  end

  # The exact product of the two binary64 values, rounded to binary64, step by step.
  def test_products_agree_with_exact_arithmetic
    policy = RetryPolicy.new(max_attempts: 60, initial_delay: 0.1, multiplier: 1.3)
    exact = 0.1
    policy.schedule.each do |delay|
      assert_bits exact, delay
      exact = (exact.to_r * 1.3.to_r).to_f
    end
  end

  def test_the_horizon_is_the_last_ceiling
    assert_equal HORIZON, policy.backoff(33)
    assert_equal HORIZON, policy.backoff(HUGE)
    assert_equal HORIZON, policy(multiplier: Float::MAX).backoff(3)
    assert_bits 0.0, RetryPolicy.new(multiplier: Float::MAX).backoff(HUGE)
  end

  def test_what_no_longer_changes_is_answered_at_once
    assert_equal 3.0, RetryPolicy.fixed(2, 3).backoff(HUGE)
    # 5e-324 * 1.1 rounds to 5e-324 again.
    assert_bits 5e-324, RetryPolicy.new(initial_delay: 5e-324, multiplier: 1.1).backoff(HUGE)
  end

  def test_the_schedule_is_lazy
    long = RetryPolicy.exponential(HUGE, 1, 10).schedule
    assert_equal HUGE - 1, long.size
    assert_equal [1.0, 2.0, 4.0, 8.0, 10.0, 10.0], long.first(6)
    assert_empty RetryPolicy.none.schedule.to_a
  end

  def test_next_delay
    aged = policy(max_message_age: 60)
    assert_equal 8.0, policy.next_delay(4)
    assert_equal :max_attempts, policy.next_delay(5)
    assert_equal 1.0, aged.next_delay(1, 59.99)
    assert_equal :max_message_age, aged.next_delay(1, 60)
    assert_equal :max_attempts, aged.next_delay(5, 60)
    assert_equal 1.0, aged.next_delay(1, -3)
    assert_equal 1.0, aged.next_delay(1, -INFINITY)
    assert_equal :max_message_age, aged.next_delay(1, INFINITY)
    assert_equal 1.0, aged.next_delay(1, nil)
    assert_equal 1.0, policy.next_delay(1, INFINITY)
    rejects(InvalidArgument, :message_age) { policy.next_delay(5, NAN) }
    rejects(InvalidArgument, :attempt) { policy.next_delay(0, NAN) }
  end

  def test_jitter
    jittery = policy(jitter_factor: 0.2)
    assert_equal [8.0, 10.0, 11.0], [0.0, 0.5, 0.75].map { |draw| jittery.jittered(10, draw) }
    assert_equal 0.0, policy(jitter_factor: 1).jittered(10, 0)
    assert_equal 10.0, policy.jittered(10, 0)
    rejects(InvalidArgument, :delay) { policy.jittered(HORIZON.next_float, 1) }
    rejects(InvalidArgument, :delay) { policy.jittered(NAN, 0.5) }
    rejects(InvalidArgument, :draw) { policy.jittered(0, 1) }
    rejects(InvalidArgument, :draw) { policy.jittered(1, NAN) }
  end

  def test_own_draws_go_both_ways
    samples = Array.new(1000) { policy(jitter_factor: 0.5).jittered(10) }
    assert(samples.all? { |delay| (5.0..15.0).cover?(delay) })
    assert_in_delta 10.0, samples.sum / samples.size, 1.0 # more than ten standard errors
  end

  def test_each_sample_has_a_draw_of_its_own_in_the_order_of_the_draws
    draws = [0.75, 0.0, 0.5]
    random = Object.new
    random.define_singleton_method(:rand) { draws.shift }
    assert_equal [11.0, 8.0, 10.0], policy(jitter_factor: 0.2, max_delay: 10).jitter_samples(10, 3, random: random)
    assert_empty draws
  end

  # 1000 are due in each of ten parts, with a standard deviation of 30.
  def test_samples_spread_evenly_over_both_sides
    samples = policy(jitter_factor: 0.5).jitter_samples(10, 10_000)
    assert_equal 10_000, samples.size
    assert(samples.all? { |delay| (5.0..15.0).cover?(delay) })
    parts = samples.map { |delay| (delay - 5.0).floor }.tally
    assert((0..9).all? { |part| (800..1200).cover?(parts[part]) }, parts.inspect)
  end

  def test_samples_without_jitter_are_the_delay
    assert_equal [0.1, 0.1, 0.1], policy.jitter_samples(0.1, 3)
    policy(jitter_factor: 1).jitter_samples(-0.0, 2).each { |delay| assert_bits 0.0, delay }
  end

  def test_sample_counts
    assert_equal 1, policy.jitter_samples(1, 1).size
    assert_equal 1_000_000, policy.jitter_samples(1, 1_000_000).size
    rejects(InvalidArgument, :delay) { policy.jitter_samples(-5e-324, 0) }
    rejects(InvalidArgument, :delay) { policy.jitter_samples(NAN, 1) }
    rejects(InvalidArgument, :delay) { policy.jitter_samples(HORIZON.next_float, 1) }
    [0, -1, 1_000_001, -(2**63), 2**63 - 1].each do |count|
      rejects(InvalidArgument, :count) { policy.jitter_samples(0, count) }
    end
    assert_raises(TypeError) { policy.jitter_samples(0, 1.0) }
  end

  def test_fresh_processes_draw_differently
    program = "puts Samewait::RetryPolicy.new(jitter_factor: 1).jitter_samples(1, 3).inspect"
    library = File.expand_path("../lib/samewait", __dir__)
    drawn = Array.new(2) { IO.popen([RbConfig.ruby, "-r", library, "-e", program], &:read) }
    drawn.each { |samples| assert_match(/\A\[.*,.*,.*\]\n\z/, samples) }
    refute_equal(*drawn)
  end

  def test_forked_workers_draw_differently
    skip "this system cannot fork" unless Process.respond_to?(:fork)
    jittery = policy(jitter_factor: 1)
    jittery.jittered(1) # so that there is a state to inherit
    drawn = Array.new(2) { IO.popen("-") { |worker| worker ? worker.read : print(jittery.jitter_samples(1, 3)) } }
    drawn.each { |samples| assert_match(/\A\[.*,.*,.*\]\z/, samples) }
    refute_equal(*drawn)
  end
end
