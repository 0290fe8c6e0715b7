# frozen_string_literal: true

module Samewait
  # 2^32 seconds, the longest duration there is.
  HORIZON = 4_294_967_296.0

  # What values are legal, and the one place that turns the others away.
  module Legal
    SECONDS = 0.0..HORIZON
    ATTEMPTS = 1..2_147_483_647
    COUNT = 1..(2**63 - 1)
    SAMPLES = 1..1_000_000

    class << self
      # The value as binary64. NaN is in no range, and adding 0.0 turns a negative zero into a positive one (P-7).
      def number(value, field, range, rejection = InvalidArgument)
        needs(value.is_a?(Numeric), field, "a number", value)
        number = value.to_f + 0.0
        range.cover?(number) ? number : refuse(rejection, field, "in #{range}", value)
      end

      def integer(value, field, range, rejection = InvalidArgument)
        needs(value.is_a?(Integer), field, "an Integer", value)
        range.cover?(value) ? value : refuse(rejection, field, "in #{range}", value)
      end

      def name(value, field)
        text(value, field)
        value.empty? ? refuse(InvalidArgument, field, "a text that is not empty", value) : value
      end

      def text(value, field)
        needs(value.is_a?(String), field, "a String", value)
        value
      end

      # Seconds as whole milliseconds, halves away from zero (L-2, Q-32): one product, and then Float#round, which has
      # just this rule.
      def milliseconds(seconds) = (seconds * 1000.0).round

      def refuse(rejection, field, needed, found)
        raise rejection.new("#{field} must be #{needed}, got #{found.inspect}", field: field)
      end

      private

      def needs(holds, field, needed, found)
        raise TypeError, "#{field} must be #{needed}, got #{found.inspect}" unless holds
      end
    end
  end
end
