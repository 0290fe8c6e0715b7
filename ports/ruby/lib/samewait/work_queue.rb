# frozen_string_literal: true

require_relative "timeline"

module Samewait
  # A queue with leases, retries, a use-by clock and dead letters, in the virtual time of its clock. Nothing sleeps.
  #
  # The block, if there is one, is told of every event as it happens: a Hash with :at (seconds), :event and what
  # belongs to that event. It looks on, and must not call the queue.
  #
  # An operation answers true, or false where the specification refuses it (there is then a :refused event and no other
  # effect). One that makes no sense, such as a message put twice, raises.
  #
  # A message is in exactly one of @ready, @delayed, @leases and @dead, or gone (Q-1). These are hashes keyed by
  # message, as a Hash keeps the order of insertion: its first entry is the oldest, and any entry leaves it at once.
  class WorkQueue
    DeadLetter = Struct.new(:message, :reason, :error, :attempts, :at)

    # `first_put_ms` is moved by a replay. `deliveries` is never reset (Q-10).
    class Message
      attr_reader :name
      attr_accessor :attempts, :error, :first_put_ms, :deliveries

      def initialize(name)
        @name = name
        @deliveries = 0
      end
    end

    # `ends_at` is nil for a lease that lasts until it is settled.
    Lease = Struct.new(:message, :consumer, :ends_at)

    class Consumer
      attr_reader :name, :on_message, :held

      def initialize(name, on_message, prefetch)
        @name = name
        @on_message = on_message
        @prefetch = prefetch
        @held = {} # its messages, in the order of delivery (Q-12)
      end

      def room? = @prefetch.nil? || @held.size < @prefetch
    end

    private_constant :Message, :Lease, :Consumer

    attr_reader :clock

    # A `message_ttl` or `ack_timeout` of 0, or one that rounds to 0 ms, is none (Q-32).
    def initialize(policy, message_ttl: 0.0, ack_timeout: 0.0, clock: VirtualClock.new, &on_event)
      @policy = policy
      @ttl_ms = Legal.milliseconds(Legal.number(message_ttl, :message_ttl, Legal::SECONDS))
      @lease_ms = Legal.milliseconds(Legal.number(ack_timeout, :ack_timeout, Legal::SECONDS))
      @clock = clock
      @on_event = on_event

      @messages = {}     # by name, also those that are gone: a name is used once
      @ready = {}
      @delayed = {}      # to their entry in @delay_ends
      @delay_ends = Timeline.new
      @leases = {}       # to their Lease; all last equally long, so the first delivered is the first to end
      @dead = {}         # to their DeadLetter
      @use_by = {}       # when the TTL clock of each waiting message runs out, the clock that started first in front
      @consumers = {}    # by name
      @with_room = {}
      clock.drive(self)
    end

    # Operations

    def put(name)
      Legal.name(name, :message)
      raise ArgumentError, "message must have a name not used before, got #{name.inspect}" if @messages.key?(name)

      start(@messages[name] = Message.new(name))
    end

    # `on_message` is :hold, :ack, or { fail: text }; a `prefetch` of nil is no limit.
    def add_consumer(name, on_message: :hold, prefetch: nil)
      Legal.name(name, :consumer)
      Legal.integer(prefetch, :prefetch, Legal::COUNT) unless prefetch.nil?
      judge_handler(on_message)
      return refuse(:add_consumer, :duplicate_consumer, consumer: name) if @consumers.key?(name)

      consumer = @consumers[name] = Consumer.new(name, on_message, prefetch)
      @with_room[consumer] = true
      done
    end

    def remove_consumer(name)
      Legal.name(name, :consumer)
      consumer = @consumers.delete(name) or return refuse(:remove_consumer, :unknown_consumer, consumer: name)

      @with_room.delete(consumer)
      consumer.held.keys.each { |message| fail_lease(@leases[message], "consumer removed") }
      done
    end

    # `delivery` counts the deliveries of this message from 1; nil is the latest.
    def ack(name, delivery: nil)
      lease = live_lease(name, delivery) or return refuse(:ack, :unknown_delivery, message: name)

      ack_lease(lease)
      done
    end

    def nack(name, delivery: nil, error: nil)
      Legal.text(error, :error) unless error.nil?
      lease = live_lease(name, delivery) or return refuse(:nack, :unknown_delivery, message: name)

      fail_lease(lease, error)
      done
    end

    # A dead message starts over as if it were new (Q-22).
    def replay(name)
      message = @messages[Legal.name(name, :message)]
      return refuse(:replay, :not_dead, message: name) unless @dead.delete(message)

      start(message)
    end

    # Questions

    def stats = { ready: @ready.size, delayed: @delayed.size, leased: @leases.size, dead: @dead.size }

    # In the order of their deaths.
    def dead_letters = @dead.values

    # For the clock

    def next_due = [next_lease_end, next_delay_end, next_use_by].compact.min

    # The order within one instant (Q-26): whatever happens may make an earlier line possible again.
    def settle
      nil while end_lease || end_delay || deliver || end_use_by
    end

    private

    def done
      settle
      true
    end

    def refuse(operation, code, **about)
      tell(:refused, do: operation, **about, code: code)
      false
    end

    def tell(event, **details) = @on_event&.call({ at: @clock.now, event: event, **details })

    def judge_handler(on_message)
      case on_message
      in :hold | :ack | { fail: String } then nil
      else raise ArgumentError, "on_message must be :hold, :ack or { fail: text }, got #{on_message.inspect}"
      end
    end

    # A message has at most one live lease, and that is of its latest delivery (Q-10).
    def live_lease(name, delivery)
      message = @messages[Legal.name(name, :message)]
      Legal.integer(delivery, :delivery, Legal::COUNT) unless delivery.nil?
      @leases[message] if delivery.nil? || delivery == message&.deliveries
    end

    # Into the queue

    def start(message)
      message.attempts = 0
      message.error = nil
      message.first_put_ms = @clock.now_ms
      start_use_by(message)
      make_ready(message)
      done
    end

    # Runs on through a delay, and is stopped by a delivery (Q-5, Q-17).
    def start_use_by(message)
      @use_by[message] = @clock.now_ms + @ttl_ms if @ttl_ms.positive?
    end

    def make_ready(message)
      @ready[message] = true
      tell(:ready, message: message.name)
    end

    def make_delayed(message, delay_ms)
      entry = @delay_ends.add(@clock.now_ms + delay_ms, message)
      @delayed[message] = entry
      tell(:delayed, message: message.name, until: entry.at / 1000.0)
    end

    def bury(message, reason)
      @dead[message] = DeadLetter.new(message.name, reason, message.error, message.attempts, @clock.now)
      tell(:dead, message: message.name, reason: reason, error: message.error, attempts: message.attempts)
    end

    # Delivery

    def deliver
      return if @ready.empty? || @with_room.empty?

      message, = @ready.shift
      consumer, = @with_room.shift # to the end of the line, so that consumers take turns
      lease = hand_over(message, consumer)
      @with_room[consumer] = true if consumer.room?

      case consumer.on_message
      in :hold then nil
      in :ack then ack_lease(lease)
      in { fail: error } then fail_lease(lease, error)
      end
      true
    end

    def hand_over(message, consumer)
      @use_by.delete(message)
      message.attempts += 1
      message.deliveries += 1
      consumer.held[message] = true
      tell(:delivered, message: message.name, attempt: message.attempts, consumer: consumer.name)
      ends_at = @clock.now_ms + @lease_ms if @lease_ms.positive?
      @leases[message] = Lease.new(message, consumer, ends_at)
    end

    # Settling

    def ack_lease(lease)
      release(lease)
      tell(:acked, message: lease.message.name, attempt: lease.message.attempts)
    end

    def fail_lease(lease, error)
      message = release(lease)
      message.error = error # also when there is no text: an older one would explain another failure (Q-18)
      tell(:failed, message: message.name, attempt: message.attempts, error: error)

      case @policy.next_delay(message.attempts, (@clock.now_ms - message.first_put_ms) / 1000.0)
      in Symbol => reason then bury(message, reason)
      in Float => delay then come_back(message, Legal.milliseconds(delay))
      end
    end

    def come_back(message, delay_ms)
      start_use_by(message)
      delay_ms.zero? ? make_ready(message) : make_delayed(message, delay_ms)
    end

    def release(lease)
      consumer = lease.consumer
      @leases.delete(lease.message)
      consumer.held.delete(lease.message)
      # Its name may belong to another consumer by now (Q-24).
      @with_room[consumer] = true if @consumers[consumer.name].equal?(consumer)
      lease.message
    end

    # What is due

    def next_lease_end = @leases.first&.last&.ends_at

    def next_use_by = @use_by.first&.last

    # A message that died while delayed has left its entry behind.
    def next_delay_end
      @delay_ends.shift while (entry = @delay_ends.first) && !@delayed[entry.item].equal?(entry)
      entry&.at
    end

    def due?(at) = at && at <= @clock.now_ms

    def end_lease
      return unless due?(next_lease_end)

      fail_lease(@leases.first.last, "ack timeout")
      true
    end

    def end_delay
      return unless due?(next_delay_end)

      message = @delay_ends.shift.item
      @delayed.delete(message)
      make_ready(message)
      true
    end

    def end_use_by
      return unless due?(next_use_by)

      message, = @use_by.shift
      @ready.delete(message) || @delayed.delete(message)
      bury(message, :ttl_expired)
      true
    end
  end
end
