// What js-yaml makes of files: see README.md.

'use strict';

const fs = require('node:fs');
const yaml = require('js-yaml');

// To JavaScript 1 and 1.0 are one number, to js-yaml they are not.
const integer = new yaml.Type('tag:yaml.org,2002:int', {
  kind: 'scalar',
  resolve: yaml.types.int.resolve,
  construct: (text) => (text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text)),
});
const schema = yaml.DEFAULT_SCHEMA.extend({ implicit: [integer] });

function* lines(value, path) {
  if (Array.isArray(value) && value.length > 0) {
    for (const [index, item] of value.entries()) yield* lines(item, `${path}/${index}`);
  } else if (isMapping(value) && Object.keys(value).length > 0) {
    for (const key of Object.keys(value).sort()) yield* lines(value[key], `${path}/${key}`);
  } else {
    yield `${path} ${leaf(value)}\n`;
  }
}

function isMapping(value) {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function leaf(value) {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'bigint') return `i${value}`;
  if (typeof value === 'number') return `f${bits(value)}`;
  if (typeof value === 'string') return `t${value}`;
  if (Array.isArray(value)) return '[]';
  if (isMapping(value)) return '{}';
  return `${value.constructor.name} ${value}`;
}

function bits(number) {
  const buffer = Buffer.alloc(8);
  buffer.writeDoubleBE(number);
  return buffer.toString('hex');
}

for (const name of process.argv.slice(2)) {
  const value = yaml.load(fs.readFileSync(name, 'utf8'), { schema });
  process.stdout.write(`${name}\n${[...lines(value, '')].join('')}`);
}
