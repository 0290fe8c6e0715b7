# frozen_string_literal: true

# Retry schedules that wait exactly as long as those of every other language that keeps the samewait specification.
# Durations are seconds, as Float. Comments cite the clauses of that specification, like (B-4).
module Samewait
  VERSION = "1.0.0"
end

require_relative "samewait/rejection"
require_relative "samewait/legal"
require_relative "samewait/ladder"
require_relative "samewait/retry_policy"
require_relative "samewait/virtual_clock"
require_relative "samewait/work_queue"
