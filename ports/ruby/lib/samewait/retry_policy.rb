# frozen_string_literal: true

module Samewait
  # When to try again, and when to stop. Six numbers, frozen when built.
  #
  #   policy = RetryPolicy.exponential(5, 1.0, 10.0)
  #   policy.backoff(3)       # => 4.0
  #   policy.next_delay(5)    # => :max_attempts
  class RetryPolicy
    attr_reader :max_attempts, :initial_delay, :multiplier, :max_delay, :jitter_factor, :max_message_age

    # One attempt, no retry (P-12).
    def self.none = new

    def self.fixed(max_attempts, delay)
      new(max_attempts: max_attempts, initial_delay: delay, multiplier: 1.0)
    end

    def self.exponential(max_attempts, initial_delay, max_delay = 0.0)
      new(max_attempts: max_attempts, initial_delay: initial_delay, multiplier: 2.0,
          max_delay: max_delay, jitter_factor: 0.2)
    end

    # A `max_delay` or `max_message_age` of 0 is no limit at all (P-4, P-5).
    def initialize(max_attempts: 1, initial_delay: 0.0, multiplier: 2.0,
                   max_delay: 0.0, jitter_factor: 0.0, max_message_age: 0.0)
      # In the order of the table, so that the first fault is the one reported (P-10).
      @max_attempts = Legal.integer(max_attempts, :max_attempts, Legal::ATTEMPTS, InvalidPolicy)
      @initial_delay = Legal.number(initial_delay, :initial_delay, Legal::SECONDS, InvalidPolicy)
      @multiplier = Legal.number(multiplier, :multiplier, 1.0..Float::MAX, InvalidPolicy)
      @max_delay = Legal.number(max_delay, :max_delay, Legal::SECONDS, InvalidPolicy)
      @jitter_factor = Legal.number(jitter_factor, :jitter_factor, 0.0..1.0, InvalidPolicy)
      @max_message_age = Legal.number(max_message_age, :max_message_age, Legal::SECONDS, InvalidPolicy)
      freeze
    end

    # Copies (P-15).
    def give_up_after(age) = self.class.new(**to_h, max_message_age: age)
    def with_jitter(factor) = self.class.new(**to_h, jitter_factor: factor)

    # The wait after `attempt` has failed, whatever `max_attempts` says (B-1).
    def backoff(attempt)
      Legal.integer(attempt, :attempt, Legal::ATTEMPTS)
      latest = nil
      distinct_delays(attempt) { |delay| latest = delay }
      latest
    end

    # Every wait of a message that fails to the end (B-9). Made as it is read, so a long one takes no memory (B-11).
    def schedule
      Enumerator.new(retries) do |delays|
        given = 0
        latest = nil
        distinct_delays(retries) do |delay|
          delays << (latest = delay)
          given += 1
        end
        (retries - given).times { delays << latest }
      end
    end

    # How long until the next attempt, as Float, or why there is none: :max_attempts or :max_message_age.
    # A `message_age` of nil is unknown, and young enough (N-6).
    def next_delay(attempt, message_age = nil)
      Legal.integer(attempt, :attempt, Legal::ATTEMPTS)
      # A negative age is below every limit as it is (N-7); only NaN compares with nothing (N-1).
      age = Legal.number(message_age, :message_age, -Float::INFINITY..Float::INFINITY) unless message_age.nil?

      if attempt >= max_attempts then :max_attempts
      elsif age && max_message_age.positive? && age >= max_message_age then :max_message_age
      else backoff(attempt)
      end
    end

    # The delay moved to either side by at most `jitter_factor` of itself; it may exceed `max_delay` (J-5).
    def jittered(delay, draw = Random.rand)
      delay = Legal.number(delay, :delay, Legal::SECONDS)
      draw = Legal.number(draw, :draw, 0.0...1.0)
      return delay if jitter_factor.zero? || delay.zero?

      delay * (1.0 + ((draw * 2.0 - 1.0) * jitter_factor)) # in exactly this order (J-2)
    end

    # The delay jittered `count` times, in the order of the draws (J-10).
    #
    # The default is Ruby's own generator, which the system seeds, and which a forked worker seeds anew. A Random.new
    # kept in a constant would be copied by fork, state and all, and all workers of a server would draw the same (J-9).
    def jitter_samples(delay, count, random: Random)
      delay = Legal.number(delay, :delay, Legal::SECONDS)
      Legal.integer(count, :count, Legal::SAMPLES) # after the delay (J-11)
      Array.new(count) { jittered(delay, random.rand) }
    end

    # The broker queues that hold this policy's long waits.
    def ladder(queue, exchange: "", threshold: Ladder::DEFAULT_THRESHOLD)
      Ladder.new(self, queue, exchange: exchange, threshold: threshold)
    end

    # The doubling rule (B-4), and the only loop that multiplies (B-10): yields the delays after attempts 1, 2, 3 and
    # so on, each larger than the one before, and ends after `attempts` of them or once the delay no longer changes
    # (B-8). The last one yielded is then that of every later attempt.
    #
    # Taking the smaller with the ceiling at each step, not once at the end, gives the same delays, as a multiplier is
    # never below 1. It also makes "the next delay is this one" the only test: it holds at the ceiling, at 0, for a
    # multiplier of 1, and where a product rounds back. An infinite product is above the ceiling like any other (B-7).
    def distinct_delays(attempts)
      return enum_for(__method__, attempts) unless block_given?

      ceiling = max_delay.positive? ? max_delay : HORIZON
      delay = [initial_delay, ceiling].min
      attempts.times do
        yield delay
        following = [delay * multiplier, ceiling].min
        break if following == delay

        delay = following
      end
    end

    def to_h
      { max_attempts: max_attempts, initial_delay: initial_delay, multiplier: multiplier,
        max_delay: max_delay, jitter_factor: jitter_factor, max_message_age: max_message_age }
    end

    def ==(other) = other.is_a?(RetryPolicy) && to_h == other.to_h
    alias eql? ==
    def hash = to_h.hash

    private

    def retries = max_attempts - 1
  end
end
