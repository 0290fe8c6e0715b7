# frozen_string_literal: true

module Samewait
  # Things to come, the earliest first; of several at one instant the one added first. A binary heap, as the standard
  # library has none.
  class Timeline
    Entry = Struct.new(:at, :order, :item) do
      def before?(other) = at == other.at ? order < other.order : at < other.at
    end

    def initialize
      @heap = []
      @added = 0
    end

    # Answers the entry, by which the owner may know it again.
    def add(at, item)
      entry = Entry.new(at, @added += 1, item)
      @heap << entry
      rise(@heap.size - 1)
      entry
    end

    def first = @heap.first

    def shift
      last = @heap.pop
      return last if @heap.empty?

      first = @heap[0]
      @heap[0] = last
      sink(0)
      first
    end

    private

    def rise(index)
      while index.positive? && @heap[index].before?(@heap[parent = (index - 1) / 2])
        swap(index, parent)
        index = parent
      end
    end

    def sink(index)
      while (child = earlier_child(index)) && @heap[child].before?(@heap[index])
        swap(index, child)
        index = child
      end
    end

    def earlier_child(index)
      left = 2 * index + 1
      right = left + 1
      return (left if left < @heap.size) if right >= @heap.size

      @heap[right].before?(@heap[left]) ? right : left
    end

    def swap(one, other)
      @heap[one], @heap[other] = @heap[other], @heap[one]
    end
  end
end
