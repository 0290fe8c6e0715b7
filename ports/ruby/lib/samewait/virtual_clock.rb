# frozen_string_literal: true

module Samewait
  # A clock that moves only when told to, and stops at every instant at which one of its queues has something due.
  # It counts whole milliseconds: instants that are equal there are one instant (Q-32).
  class VirtualClock
    attr_reader :now_ms

    def initialize
      @now_ms = 0
      @driven = []
    end

    # What is driven answers `next_due` (milliseconds or nil) and `settle` (do all that is due now).
    def drive(driven)
      @driven << driven
    end

    # Seconds since the start.
    def now = now_ms / 1000.0

    def advance(seconds)
      pass_to(now_ms + whole_milliseconds(seconds))
    end

    def advance_to(seconds)
      target = whole_milliseconds(seconds)
      raise ArgumentError, "time must not decrease: it is #{now} s, got #{seconds} s" if target < now_ms

      pass_to(target)
    end

    private

    # All that is due at the target happens, too (Q-25).
    def pass_to(target)
      while (due = @driven.filter_map(&:next_due).min) && due <= target
        @now_ms = due
        @driven.each(&:settle)
      end
      @now_ms = target
    end

    def whole_milliseconds(seconds)
      exact = Legal.number(seconds, :time, Legal::SECONDS)
      rounded = Legal.milliseconds(exact)
      return rounded if rounded / 1000.0 == exact

      raise ArgumentError, "time must be a whole number of milliseconds, got #{seconds} s"
    end
  end
end
