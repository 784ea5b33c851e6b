import { readSources, validate } from '@evenkeel/schema';
import { expect, it } from 'vitest';
import { Greeting } from './greeting.ts';

const sources = await readSources('src/greeting.ts');

it('greets in two languages, English by default', async () => {
  const { object } = await validate(Greeting, { spec: { name: 'World' } }, { sources });
  expect(object.spec.language).toBe('en');
  const { messages } = await validate(Greeting, { spec: { name: 'Welt', language: 'de' } }, { sources });
  expect(messages).toEqual(['spec.language: Unsupported value: "de": supported values: "en", "fr"']);
});
