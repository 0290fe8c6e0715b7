# frozen_string_literal: true

require_relative "helper"
require_relative "../port"
require "open3"
require "rbconfig"
require "timeout"

class PortTest < Samewait::Test
  PORT = [RbConfig.ruby, File.expand_path("../port.rb", __dir__)].freeze
  POLICY = { max_attempts: 5, initial_delay: 1.0, multiplier: 2.0, max_delay: 0.0,
             jitter_factor: 0.0, max_message_age: 0.0 }.freeze

  def ask(question, **arguments) = answer(JSON.generate({ id: "1", ask: question, policy: POLICY, **arguments }))
  def answer(line) = JSON.parse(Port.new.answer(line), symbolize_names: true)
  def play(*steps) = ask("queue", message_ttl: 0, ack_timeout: 0, steps: steps)

  def test_values
    assert_equal({ delay: 4.0 }, ask("backoff", attempt: 3)[:value])
    assert_equal({ delays: [1.0, 2.0, 4.0, 8.0] }, ask("schedule")[:value])
    assert_equal({ give_up: "max_attempts" }, ask("next_delay", attempt: 5, message_age: nil)[:value])
    assert_equal({ delay: 1.0 }, ask("next_delay", attempt: 1, message_age: "-Infinity", unknown: [[]])[:value])
    assert_equal({ rung: nil }, ask("rung_for", queue: "q", exchange: "", threshold: 1, delay: 0.5)[:value])
    assert_equal({ policy: { **POLICY, multiplier: 1.0, jitter_factor: 0.5 } },
                 ask("policy", make: { fixed: { max_attempts: 5, delay: 1 } }, then: [{ with_jitter: 0.5 }])[:value])
  end

  def test_jitter_samples
    assert_equal({ delays: [10.0, 10.0] }, ask("jitter_samples", delay: 10, count: 2)[:value])
    jittery = { policy: { **POLICY, jitter_factor: 0.5 }, delay: 10, count: 20 }
    first, second = Array.new(2) { ask("jitter_samples", **jittery)[:value][:delays] }
    assert_equal [20, 20], [first.size, second.size]
    refute_equal first, second
    assert_equal({ code: "invalid_argument", field: "delay" },
                 ask("jitter_samples", delay: "NaN", count: 0)[:rejected])
    assert_equal({ code: "invalid_argument", field: "count" },
                 ask("jitter_samples", delay: 0, count: 2**63 - 1)[:rejected])
    assert_equal %i[id error], ask("jitter_samples", delay: 0).keys
  end

  def test_rejections
    assert_equal({ id: "1", rejected: { code: "invalid_argument", field: "message_age" } },
                 ask("next_delay", attempt: 1, message_age: "NaN"))
    assert_equal({ code: "rung_too_long" },
                 ask("ladder", policy: { **POLICY, initial_delay: Samewait::HORIZON },
                               queue: "q", exchange: "", threshold: 1)[:rejected])
  end

  def test_unsupported
    assert_equal %i[id unsupported], ask("sing").keys
  end

  def test_errors
    assert_equal %i[id error], ask("backoff").keys
    assert_equal %i[id error], ask("backoff", policy: 5, attempt: 1).keys
    assert_equal %i[id error], ask("backoff", policy: { **POLICY, max_attempts: "NaN" }, attempt: 1).keys
    ["", "{}", "[1]", "{", "\xff", '{"id":"\ud800"}', "[" * 100_000].each do |line|
      assert_nil answer(line).fetch(:id)
    end
  end

  def test_senseless_scenarios_name_the_step
    put = { at: 0, do: "put", message: "m" }
    [put, { at: 0, do: "sing" }, { at: 0.0005, do: "wait" }, { at: "NaN", do: "wait" }, { do: "wait" },
     { at: 0, do: "ack" }, { at: 0, do: "ack", message: "m", delivery: 0 }, { at: 0, do: "put", message: "" },
     { at: 0, do: "add_consumer", consumer: "c", on_message: "sing" },
     { at: 0, do: "add_consumer", consumer: "c", prefetch: 1.5 }].each do |step|
      assert_match(/step 2: /, play(put, step)[:error])
    end
    assert_match(/step 2: /, play({ at: 2, do: "wait" }, { at: 1, do: "wait" })[:error])
    assert_equal [], play[:value][:trace]
  end

  def test_a_number_is_answered_so_that_it_reads_back
    [5e-324, 0.1, 123_456_789.125, 1e-7, Samewait::HORIZON.prev_float].each do |number|
      assert_bits number, ask("jitter", delay: number, draw: 0)[:value][:delay]
    end
    made = ask("policy", make: { fields: { **POLICY, multiplier: 1e22 } }, then: [])
    assert_bits 1e22, made[:value][:policy][:multiplier]
  end

  # An answer comes while the input stays open (W-3), a last line may lack its end, and the end of input ends the port
  # (W-4).
  def test_conversation_in_any_locale
    Open3.popen2({ "LC_ALL" => "C" }, *PORT) do |input, output, process|
      input << '{"id":"ä' << '1","ask":"hello"}' << "\n" << '{"id":"2",'
      input.flush
      assert_equal "ä1", JSON.parse(Timeout.timeout(20) { output.gets.force_encoding("UTF-8") })["id"]
      input << '"ask":"sing"}'
      input.close
      assert_equal "2", JSON.parse(output.gets)["id"]
      assert_nil output.gets
      assert_predicate process.value, :success?
    end
  end
end
