# frozen_string_literal: true

module Samewait
  # A value that the specification does not allow. `code` and `field` are for programs, `message` is for people.
  # A value of the wrong type is not a rejection: it raises TypeError.
  class Rejection < ArgumentError
    attr_reader :field

    def initialize(message, field: nil)
      super(message)
      @field = field
    end

    def code = self.class::CODE
  end

  # A field of a policy is out of range (P-9).
  class InvalidPolicy < Rejection
    CODE = :invalid_policy
  end

  # An argument other than the policy is out of range.
  class InvalidArgument < Rejection
    CODE = :invalid_argument
  end

  # A rung would live longer than a broker accepts (L-4).
  class RungTooLong < Rejection
    CODE = :rung_too_long
  end
end
