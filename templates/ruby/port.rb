#!/usr/bin/env ruby
# frozen_string_literal: true

# Puts a library to the test of samewait: questions on standard input, answers on standard output, one JSON object a line.
# The comments 1 to 4 lead from this skeleton to a port of your library.

require "json"
# require "my_library"

# The library refuses its input. Anything else that is raised counts as a failure of the port.
class Rejected < StandardError
  attr_reader :rejection

  def initialize(code, field = nil)
    super("#{code}: #{field}")
    @rejection = { code: code, field: field }.compact
  end
end

# The answers to the questions.
module Answers
  module_function

  def backoff(request)
    # 1. Call your library here, in place of the stand-in. Durations are seconds.
    { delay: StandIn.backoff(policy(request.fetch("policy")), integer(request.fetch("attempt"))) }
  end

  # 2. Next question: schedule. Write the method and add its name to FEATURES, which `hello` claims.
  #
  # def schedule(request)
  #   { delays: policy(request.fetch("policy")).schedule.to_a }
  # end

  FEATURES = %w[backoff].freeze

  def hello(_request)
    # 3. Say who you are. A library that counts in whole units says "1ns", "100ns", "1us" or "1ms" in place of "exact",
    #    and answers each delay as a whole number of them.
    { protocol: 1, name: "my-library", version: "0.0.0", language: "Ruby #{RUBY_VERSION}",
      features: FEATURES, resolution: "exact" }
  end

  # Map the fields to your library's own names here, and its refusals to Rejected.
  def policy(fields)
    StandIn.policy(
      max_attempts: integer(fields.fetch("max_attempts")),
      initial_delay: number(fields.fetch("initial_delay")),
      multiplier: number(fields.fetch("multiplier")),
      max_delay: number(fields.fetch("max_delay")),
      jitter_factor: number(fields.fetch("jitter_factor")),
      max_message_age: number(fields.fetch("max_message_age"))
    )
  end

  # A binary64. JSON has no NaN and no infinities: they come as texts. A negative zero is read as zero.
  def number(value)
    case value
    when Numeric then value.to_f + 0.0
    when "NaN" then Float::NAN
    when "Infinity" then Float::INFINITY
    when "-Infinity" then -Float::INFINITY
    else raise ArgumentError, "a number is due, not #{value.inspect}"
    end
  end

  def integer(value) = value.is_a?(Integer) ? value : raise(ArgumentError, "an integer is due, not #{value.inspect}")
end

# 4. The stand-in: what your library does instead. Delete it once nothing calls it.
module StandIn
  HORIZON = 2.0**32 # seconds
  LARGEST = 2**31 - 1
  LEGAL = { # in the order in which faults are reported
    max_attempts: 1..LARGEST,
    initial_delay: 0.0..HORIZON,
    multiplier: 1.0..Float::MAX,
    max_delay: 0.0..HORIZON,
    jitter_factor: 0.0..1.0,
    max_message_age: 0.0..HORIZON
  }.freeze

  module_function

  def policy(fields)
    LEGAL.each { |field, range| raise Rejected.new("invalid_policy", field) unless range.cover?(fields[field]) }
    fields
  end

  def backoff(policy, attempt)
    raise Rejected.new("invalid_argument", "attempt") unless (1..LARGEST).cover?(attempt)

    ceiling = policy[:max_delay].positive? ? policy[:max_delay] : HORIZON # 0 means no cap
    delay = policy[:initial_delay]
    (attempt - 1).times do
      longer = delay * policy[:multiplier]
      break if delay >= ceiling || longer == delay # it will not change any more, however large the attempt

      delay = longer
    end
    [delay, ceiling].min
  end
end

# The wire. There should be no need to change anything below.
module Wire
  CHUNK = 1 << 16

  module_function

  # Answers all that has arrived, in one write, and only then waits for more, until the input ends.
  def serve(input, output)
    input.binmode
    output.binmode.sync = true
    rest = +""
    loop do
      rest << input.readpartial(CHUNK)
      output.write(answers(rest.slice!(0..rest.rindex("\n")))) if rest.include?("\n")
    end
  rescue EOFError
    output.write(answers(rest))
  end

  def answers(lines)
    lines.force_encoding(Encoding::UTF_8).each_line(chomp: true).map { |line| answer(line) }.join
  end

  # The line that answers a line. Only what has no id cannot be answered.
  def answer(line)
    id = nil
    request = JSON.parse(line, max_nesting: 1000)
    id = request.fetch("id")
    "#{JSON.generate({ id: id, **outcome(request) })}\n"
  rescue StandardError, SystemStackError, NotImplementedError => e
    warn e.full_message(highlight: false) # people see it
    id ? "#{JSON.generate({ id: id, error: "#{e.class}: #{e.message}".scrub })}\n" : ""
  end

  def outcome(request)
    ask = request.fetch("ask")
    return { unsupported: "no question #{ask.inspect} is known here" } unless ["hello", *Answers::FEATURES].include?(ask)

    { value: Answers.public_send(ask, request) }
  rescue Rejected => e
    { rejected: e.rejection }
  end
end

answers = $stdout
$stdout = $stderr # what a library prints is no answer
Wire.serve($stdin, answers)
