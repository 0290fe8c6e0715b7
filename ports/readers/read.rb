# frozen_string_literal: true

# What Psych makes of files: see README.md.

require "psych"

def show(value, path)
  if value.is_a?(Hash) && !value.empty?
    value.keys.sort_by(&:to_s).each { |key| show(value[key], "#{path}/#{key}") }
  elsif value.is_a?(Array) && !value.empty?
    value.each_with_index { |item, index| show(item, "#{path}/#{index}") }
  else
    puts "#{path} #{leaf(value)}"
  end
end

def leaf(value)
  case value
  when nil then "null"
  when true, false then value.to_s
  when Integer then "i#{value}"
  when Float then "f#{[value].pack("G").unpack1("H*")}"
  when String then "t#{value}"
  when [] then "[]"
  when {} then "{}"
  else "#{value.class} #{value}"
  end
end

$stdout.set_encoding(Encoding::UTF_8)
ARGV.each do |name|
  puts name
  show(Psych.safe_load(File.read(name, encoding: Encoding::UTF_8)), "")
end
