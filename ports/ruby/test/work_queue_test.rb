# frozen_string_literal: true

require_relative "helper"

class WorkQueueTest < Samewait::Test
  include Samewait

  def setup
    @trace = []
  end

  def queue(attempts = 3, delay = 1.0, **limits)
    @queue = WorkQueue.new(RetryPolicy.exponential(attempts, delay), **limits) { |event| @trace << event }
  end

  def at(seconds)
    @queue.clock.advance_to(seconds)
    @queue
  end

  # "4.0 delivered" for each event, without what it is about.
  def story = @trace.map { |event| "#{event[:at]} #{event[:event]}" }

  def test_milk
    queue(message_ttl: 5).put("milk")
    at(4).add_consumer("c")
    at(4).remove_consumer("c")
    assert_equal({ ready: 1, delayed: 0, leased: 0, dead: 0 }, at(8).stats)
    death = WorkQueue::DeadLetter.new("milk", :ttl_expired, "consumer removed", 1, 9.0)
    assert_equal [death], at(9).dead_letters
    assert_equal ["0.0 ready", "4.0 delivered", "4.0 failed", "4.0 delayed", "5.0 ready", "9.0 dead"], story
  end

  def test_retries_until_the_attempts_are_used_up
    queue.add_consumer("c", on_message: { fail: "no" })
    @queue.put("m")
    at(100)
    assert_equal [1.0, 3.0], @trace.filter_map { |event| event[:until] }
    assert_equal({ at: 3.0, event: :dead, message: "m", reason: :max_attempts, error: "no", attempts: 3 }, @trace.last)
  end

  def test_ack
    queue.add_consumer("c", on_message: :ack, prefetch: 1)
    %w[a b].each { |name| @queue.put(name) }
    assert_equal %w[ready delivered acked] * 2, @trace.map { |event| event[:event].to_s }
    assert_equal 0, @queue.stats.values.sum
  end

  def test_a_lease_that_ends_at_the_instant_of_its_ack_is_over
    queue(ack_timeout: 2).add_consumer("c")
    @queue.put("m")
    refute at(2).ack("m")
    assert_equal({ at: 2.0, event: :refused, do: :ack, message: "m", code: :unknown_delivery }, @trace.last)
    assert_equal "ack timeout", @trace[-3][:error]
  end

  def test_a_delivery_is_known_by_its_number
    queue.add_consumer("c")
    @queue.put("m")
    assert @queue.nack("m", error: "")
    refute at(1).ack("m", delivery: 1)
    refute @queue.ack("m", delivery: 3)
    assert @queue.ack("m", delivery: 2)
    refute @queue.ack("m")
    refute @queue.ack("nobody")
  end

  # Delay and TTL both end at 5: delivered if a consumer has room, dead otherwise (Q-26).
  def test_a_delay_ends_before_a_ttl
    [true, false].each do |room|
      @trace = []
      queue(3, 5.0, message_ttl: 5).add_consumer("c", on_message: { fail: "" })
      @queue.put("m")
      @queue.remove_consumer("c")
      @queue.add_consumer("d") if room
      at(5)
      assert_equal ["5.0 ready", room ? "5.0 delivered" : "5.0 dead"], story.last(2)
    end
  end

  def test_a_ttl_runs_through_a_delay_and_not_through_a_lease
    queue(3, 10.0, message_ttl: 4).add_consumer("c")
    @queue.put("m")
    at(9).nack("m") # leased for longer than the TTL
    at(13)
    assert_equal ["9.0 failed", "9.0 delayed", "13.0 dead"], story.last(3)
    assert_nil @trace.last[:error]
    at(19)          # the delay that the death cut short leaves no trace
    assert_equal 1, @queue.stats[:dead]
    assert_equal "13.0 dead", story.last
  end

  def test_replay_starts_afresh
    queue(1).add_consumer("c", on_message: { fail: "x" })
    @queue.put("m")
    @queue.remove_consumer("c")
    assert at(7).replay("m")
    refute @queue.replay("m")
    refute @queue.replay("nobody")
    @queue.add_consumer("d")
    assert_equal 1, @trace.last[:attempt]
    assert @queue.ack("m", delivery: 2) # the second in all
  end

  def test_the_age_is_counted_from_the_put
    policy = RetryPolicy.fixed(9, 1).give_up_after(2)
    @queue = WorkQueue.new(policy) { |event| @trace << event }
    @queue.put("m")
    @queue.add_consumer("c", on_message: { fail: "x" })
    at(9)
    assert_equal [2.0, :max_message_age, 3], @trace.last.values_at(:at, :reason, :attempts)
  end

  def test_prefetch_and_removal_in_the_order_of_delivery
    queue.add_consumer("c", prefetch: 2)
    %w[a b c].each { |name| @queue.put(name) }
    assert_equal({ ready: 1, delayed: 0, leased: 2, dead: 0 }, @queue.stats)
    @queue.remove_consumer("c")
    failures = @trace.select { |event| event[:event] == :failed }
    assert_equal %w[a b], failures.map { |event| event[:message] }
    refute @queue.remove_consumer("c")
    assert @queue.add_consumer("c")
    refute @queue.add_consumer("c")
  end

  # 0.1 + 0.2 comes after 0.3 in binary64, and is the same instant here (Q-32).
  def test_time_is_whole_milliseconds
    queue(2, 0.2, message_ttl: 0.2).put("m")
    at(0.1).add_consumer("c", on_message: { fail: "x" })
    assert_equal 0.3, @trace.last[:until]
    at(0.3)
    assert_equal [0.3, :max_attempts], @trace.last.values_at(:at, :reason)
  end

  def test_what_rounds_to_no_millisecond_is_none
    queue(2, 0.0004, ack_timeout: 0.0004, message_ttl: 0.0004).add_consumer("c")
    @queue.put("m")
    at(1).nack("m")
    assert_equal ["1.0 failed", "1.0 ready", "1.0 delivered"], story.last(3)
  end

  def test_limits_in_their_order
    rejects(InvalidArgument, :message_ttl) { queue(message_ttl: -1, ack_timeout: -1) }
    rejects(InvalidArgument, :ack_timeout) { queue(ack_timeout: HORIZON.next_float) }
  end

  def test_what_makes_no_sense_is_said
    queue.put("m")
    [-> { @queue.put("m") }, -> { @queue.put("") }, -> { @queue.add_consumer("c", prefetch: 0) },
     -> { @queue.add_consumer("c", on_message: :sing) }, -> { @queue.ack("m", delivery: 2**63) },
     -> { at(0.0005) }, -> { at(1) && at(0.5) }].each { |nonsense| assert_raises(ArgumentError, &nonsense) }
    assert_raises(TypeError) { @queue.nack("m", error: 5) }
  end
end

class TimelineTest < Samewait::Test
  def test_sorts_by_time_and_then_by_arrival
    times = Array.new(500) { |i| (i * 7919) % 60 }
    timeline = Samewait::Timeline.new
    times.each.with_index { |at, item| timeline.add(at, item) }
    sorted = times.each.with_index.sort.map(&:last)
    assert_equal(sorted, times.map { timeline.shift.item })
    assert_nil timeline.first
  end
end
