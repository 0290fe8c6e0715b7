# frozen_string_literal: true

require "minitest/autorun"
require_relative "../lib/samewait"

module Samewait
  class Test < Minitest::Test
    HUGE = 2_147_483_647

    def rejects(error, field)
      caught = assert_raises(error) { yield }
      field.nil? ? assert_nil(caught.field) : assert_equal(field, caught.field)
      caught
    end

    # Equal to the last bit, the sign of zero included.
    def assert_bits(expected, actual)
      assert_equal [expected].pack("G").unpack1("H*"), [actual].pack("G").unpack1("H*"), "#{expected} and #{actual}"
    end
  end
end
