# frozen_string_literal: true

# What the tests that `samewait emit rspec` makes call: their questions, put to this library.
# With IGNORE_CAP in the environment it leaves the cap out, to show that the tests notice.

require_relative "../port"

module SamewaitBinding
  CHANGES = ENV.key?("IGNORE_CAP") ? { max_delay: 0.0 }.freeze : {}.freeze

  # The library refuses the input.
  class Rejected < StandardError
    attr_reader :code, :field

    def initialize(code, field)
      super("#{code} #{field}")
      @code = code
      @field = field
    end
  end

  module_function

  def policy(make, copies)
    answer do
      factory, given = make.first
      policy = made_by(factory, given)
      copies.flat_map(&:to_a).each { |change, value| policy = policy.public_send(change, value) }
      policy.to_h
    end
  end

  def schedule(policy) = answer { made(policy).schedule.to_a }

  def backoff(policy, attempt) = answer { made(policy).backoff(attempt) }

  def next_delay(policy, attempt, age) = answer { made(policy).next_delay(attempt, age) }

  def jitter(policy, delay, draw) = answer { made(policy).jittered(delay, draw) }

  def ladder(policy, queue, exchange, threshold)
    answer { made(policy).ladder(queue, exchange: exchange, threshold: threshold).map(&:to_h) }
  end

  def rung_for(policy, queue, exchange, threshold, delay)
    answer { made(policy).ladder(queue, exchange: exchange, threshold: threshold).rung_for(delay) }
  end

  def queue(policy, message_ttl, ack_timeout, steps)
    answer { Scenario.new(made(policy), message_ttl, ack_timeout).play(steps) }
  end

  # The library's answer with texts for its symbols, and its refusals as those of the tests.
  def answer
    in_texts(yield)
  rescue Samewait::Rejection => e
    raise Rejected.new(e.code.to_s, e.field&.to_s)
  end

  def in_texts(value)
    case value
    when Symbol then value.to_s
    when Array then value.map { |item| in_texts(item) }
    when Hash then value.transform_values { |item| in_texts(item) }
    else value
    end
  end

  def made(fields) = Samewait::RetryPolicy.new(**fields, **CHANGES)

  def made_by(factory, given)
    case factory
    when :fields then made(given)
    when :none then Samewait::RetryPolicy.none
    else Samewait::RetryPolicy.public_send(factory, *given.values)
    end
  end
end
