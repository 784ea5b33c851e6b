import { Base64Error, decodeBase64 } from './go-base64.ts';

describe('decodeBase64()', () => {
  it.each([
    ['', ''],
    ['MQ==', '1'],
    ['MTI=', '12'],
    ['MTIz', '123'],
    ['M\nQ=\r\n=\n', '1'],
    ['MR==', '1'],
  ])('decodes %j', (text, expected) => {
    expect(decodeBase64(text).toString()).toBe(expected);
  });

  it.each([
    ['MQ', 0],
    ['MTIzMQ', 4],
    ['MQ=', 3],
    ['MQ=x', 2],
    ['MQ===', 4],
    ['M===', 1],
    ['=', 0],
    ['ä', 0],
    ['MQ-_', 2],
    ['MQ==MQ==', 4],
  ])('rejects %j', (text, at) => {
    expect(() => decodeBase64(text)).toThrow(new Base64Error(at));
  });
});
