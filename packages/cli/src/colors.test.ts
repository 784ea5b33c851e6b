import { hasColors } from './colors.ts';

const terminal = { isTTY: true };
const pipe = {};

describe('hasColors', () => {
  it.each([
    ['a terminal', terminal, {}, true],
    ['a pipe', pipe, {}, false],
    ['a terminal with NO_COLOR', terminal, { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', terminal, { NO_COLOR: '' }, true],
    ['a dumb terminal', terminal, { TERM: 'dumb' }, false],
    ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1' }, true],
    ['a pipe with an empty FORCE_COLOR', pipe, { FORCE_COLOR: '' }, false],
    ['a terminal with FORCE_COLOR=0', terminal, { FORCE_COLOR: '0' }, false],
    ['a terminal with FORCE_COLOR=false', terminal, { FORCE_COLOR: 'false' }, false],
    ['a pipe with both variables', pipe, { FORCE_COLOR: 'true', NO_COLOR: '1' }, true],
  ])('decides for %s', (_what, stream, env, expected) => {
    expect(hasColors(stream, env)).toBe(expected);
  });
});
