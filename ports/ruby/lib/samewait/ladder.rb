# frozen_string_literal: true

module Samewait
  # A broker queue that holds messages for one delay. `arguments` are those it is declared with (L-8).
  Rung = Struct.new(:name, :ttl_ms, :arguments)

  # All rungs that one policy needs for one source queue, the shortest first.
  #
  #   ladder = RetryPolicy.exponential(11, 0.1, 3600).ladder("orders")
  #   ladder.map(&:name)       # => ["orders.retry.51200ms"]
  #   ladder.rung_for(51.2)    # => "orders.retry.51200ms"
  class Ladder
    include Enumerable

    DEFAULT_THRESHOLD = 30.0
    LONGEST_TTL_MS = 315_360_000_000 # 3650 days, the most a broker accepts (L-4)
    UNITS = { "h" => 3_600_000, "m" => 60_000, "s" => 1000, "ms" => 1 }.freeze

    attr_reader :rungs

    # The exchange may be empty: that is the broker's default exchange (L-13). A threshold of 0 means that nothing
    # waits in the broker.
    def initialize(policy, queue, exchange: "", threshold: DEFAULT_THRESHOLD)
      @queue = Legal.name(queue, :queue)
      @exchange = Legal.text(exchange, :exchange)
      @threshold = Legal.number(threshold, :threshold, Legal::SECONDS)
      @rungs = ttls(policy).map { |ttl_ms| rung(ttl_ms) }.freeze
      freeze
    end

    def each(&block)
      return enum_for { rungs.size } unless block

      rungs.each(&block)
      self
    end

    # The name of the rung to wait in, or nil where the consumer waits itself. Compared in milliseconds, so that every
    # delay of the schedule finds its own rung (L-11); a delay longer than all of them finds the longest.
    def rung_for(delay)
      ttl_ms = broker_ttl(Legal.number(delay, :delay, Legal::SECONDS)) or return
      (rungs.bsearch { |rung| rung.ttl_ms >= ttl_ms } || rungs.last)&.name
    end

    private

    # The TTL of a delay that waits in the broker, nil of any other (L-1, L-3).
    def broker_ttl(delay)
      return unless @threshold.positive? && delay.positive? && delay >= @threshold

      ttl_ms = Legal.milliseconds(delay)
      ttl_ms if ttl_ms.positive?
    end

    # A schedule only grows, so its distinct delays are enough, and equal TTLs stand side by side (L-7).
    def ttls(policy)
      policy.distinct_delays(policy.max_attempts - 1).each_with_object([]) do |delay, ttls|
        ttl_ms = broker_ttl(delay) or next
        refuse_too_long(delay, ttl_ms) if ttl_ms > LONGEST_TTL_MS
        ttls << ttl_ms unless ttls.last == ttl_ms
      end
    end

    def refuse_too_long(delay, ttl_ms)
      raise RungTooLong, "a delay of #{delay} s needs a rung of #{ttl_ms} ms, " \
                         "and a broker accepts at most #{LONGEST_TTL_MS} ms (3650 days)"
    end

    def rung(ttl_ms)
      arguments = { "x-message-ttl" => ttl_ms,
                    "x-dead-letter-exchange" => @exchange,
                    "x-dead-letter-routing-key" => @queue }
      Rung.new("#{@queue}.retry.#{label(ttl_ms)}", ttl_ms, arguments.freeze).freeze
    end

    # The largest unit that divides the TTL exactly, so that one TTL has one name (L-5).
    def label(ttl_ms)
      unit, size = UNITS.find { |_, size| (ttl_ms % size).zero? }
      "#{ttl_ms / size}#{unit}"
    end
  end
end
