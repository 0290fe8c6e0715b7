# frozen_string_literal: true

# Runs every test: ruby ports/ruby/test/all.rb

Dir[File.join(__dir__, "*_test.rb")].sort.each { |file| require file }
