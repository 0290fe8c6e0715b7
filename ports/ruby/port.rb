# frozen_string_literal: true

# Answers the questions of the port protocol (chapter 8) with the library in lib/: one JSON object a line, in and out.

require "json"
require_relative "lib/samewait"

class Port
  CHUNK = 1 << 16
  LONGEST_ERROR = 1000
  FEATURES = %w[policy schedule backoff next_delay jitter jitter_samples ladder rung_for queue].freeze
  NOT_JSON = { "NaN" => Float::NAN, "Infinity" => Float::INFINITY, "-Infinity" => -Float::INFINITY }.freeze # (W-9)

  # Bytes in and out, whatever the locale; a character may be cut in two by the end of a chunk. One write for all lines
  # of a chunk, and it comes before the next read, which may wait (W-3).
  def serve(input, output)
    input.binmode
    output.binmode.sync = true
    rest = +""
    loop do
      chunk = input.readpartial(CHUNK)
      rest << chunk
      next unless chunk.include?("\n")

      output.write(answers(rest.slice!(0..rest.rindex("\n"))))
    end
  rescue EOFError
    output.write(answers(rest))
  end

  def answers(lines)
    lines.force_encoding(Encoding::UTF_8).each_line(chomp: true).map { |line| "#{answer(line)}\n" }.join
  end

  # Whatever a request does, it gets one answer, and the port lives on (W-7).
  def answer(line)
    id = nil
    raise EncodingError, "the line is not UTF-8" unless line.valid_encoding? # or no answer could repeat its id

    request = JSON.parse(line, symbolize_names: true, max_nesting: 1000)
    request => { id: String => id }
    JSON.generate({ id: id, **outcome(request) })
  rescue Samewait::Rejection => e
    JSON.generate({ id: id, rejected: { code: e.code, field: e.field }.compact })
  rescue StandardError, SystemStackError => e
    JSON.generate({ id: id, error: "#{e.class}: #{e.message}".scrub[0, LONGEST_ERROR] })
  end

  private

  def outcome(request)
    ask = request.fetch(:ask)
    return { value: hello } if ask == "hello"
    return { value: send("ask_#{ask}", request) } if FEATURES.include?(ask)

    { unsupported: "this port knows no question #{ask.inspect}" }
  end

  def hello
    { protocol: 1, name: "samewait-ruby", version: Samewait::VERSION, language: "Ruby #{RUBY_VERSION}",
      features: FEATURES, resolution: "exact" }
  end

  def ask_policy(request)
    request => { make:, then: copies }
    policy = copies.inject(make_policy(make)) do |made, copy|
      case copy
      in { give_up_after: age } then made.give_up_after(number(age))
      in { with_jitter: factor } then made.with_jitter(number(factor))
      end
    end
    { policy: policy.to_h }
  end

  def make_policy(make)
    case make
    in { fields: } then policy(fields)
    in { none: _ } then Samewait::RetryPolicy.none
    in { fixed: { max_attempts:, delay: } } then Samewait::RetryPolicy.fixed(max_attempts, number(delay))
    in { exponential: { max_attempts:, initial_delay:, max_delay: } }
      Samewait::RetryPolicy.exponential(max_attempts, number(initial_delay), number(max_delay))
    end
  end

  def ask_schedule(request) = { delays: policy(request[:policy]).schedule.to_a }

  def ask_backoff(request) = { delay: policy(request[:policy]).backoff(request[:attempt]) }

  def ask_next_delay(request)
    request => { attempt:, message_age: age }
    case policy(request[:policy]).next_delay(attempt, number(age))
    in Symbol => reason then { give_up: reason }
    in Float => delay then { delay: delay }
    end
  end

  def ask_jitter(request)
    request => { delay:, draw: }
    { delay: policy(request[:policy]).jittered(number(delay), number(draw)) }
  end

  def ask_jitter_samples(request)
    request => { delay:, count: }
    { delays: policy(request[:policy]).jitter_samples(number(delay), count) }
  end

  def ask_ladder(request) = { rungs: ladder(request).map(&:to_h) }

  def ask_rung_for(request)
    request => { delay: }
    { rung: ladder(request).rung_for(number(delay)) }
  end

  def ask_queue(request)
    request => { message_ttl:, ack_timeout:, steps: Array => steps }
    scenario = Scenario.new(policy(request[:policy]), number(message_ttl), number(ack_timeout))
    { trace: scenario.play(steps) }
  end

  def ladder(request)
    request => { queue:, exchange:, threshold: }
    policy(request[:policy]).ladder(queue, exchange: exchange, threshold: number(threshold))
  end

  # A request names all six fields (W-11), and may name others (W-1).
  def policy(fields)
    fields => { max_attempts:, initial_delay:, multiplier:, max_delay:, jitter_factor:, max_message_age: }
    Samewait::RetryPolicy.new(
      max_attempts: max_attempts, initial_delay: number(initial_delay), multiplier: number(multiplier),
      max_delay: number(max_delay), jitter_factor: number(jitter_factor), max_message_age: number(max_message_age)
    )
  end

  def number(value) = NOT_JSON.fetch(value, value)
end

# Plays the steps of chapter 6 to a queue, and writes down what happens.
class Scenario
  class Senseless < StandardError; end

  def initialize(policy, message_ttl, ack_timeout)
    @trace = []
    @queue = Samewait::WorkQueue.new(policy, message_ttl: message_ttl, ack_timeout: ack_timeout) { @trace << _1 }
  end

  # Whatever the library holds against a step, also a rejection, makes the scenario one without sense (Q-33).
  def play(steps)
    steps.each.with_index(1) do |step, number|
      perform(step)
    rescue StandardError => e
      raise Senseless, "step #{number}: #{e.message}"
    end
    @trace
  end

  private

  def perform(step)
    step => { at:, do: action }
    @queue.clock.advance_to(at)
    case action
    when "put" then @queue.put(step[:message])
    when "add_consumer" then add_consumer(step)
    when "remove_consumer" then @queue.remove_consumer(step[:consumer])
    when "ack" then @queue.ack(step[:message], delivery: step[:delivery])
    when "nack" then @queue.nack(step[:message], delivery: step[:delivery], error: step[:error])
    when "replay" then @queue.replay(step[:message])
    when "stats" then note(:stats, @queue.stats)
    when "dead_letters" then note(:dead_letters, messages: @queue.dead_letters.map(&:to_h))
    when "wait" then nil
    else raise ArgumentError, "there is nothing to do called #{action.inspect}"
    end
  end

  def add_consumer(step)
    on_message = step.fetch(:on_message, "hold")
    on_message = on_message.to_sym if %w[hold ack].include?(on_message)
    @queue.add_consumer(step[:consumer], on_message: on_message, prefetch: step[:prefetch])
  end

  def note(event, answer)
    @trace << { at: @queue.clock.now, event: event, **answer }
  end
end

if $PROGRAM_NAME == __FILE__
  begin
    Port.new.serve($stdin, $stdout)
  rescue Errno::EPIPE, Interrupt
    exit # nobody is left to answer
  end
end
