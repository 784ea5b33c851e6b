import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fieldErrorText } from '@evenkeel/apimachinery/field-error';
import { parse } from 'yaml';
import { checkCustomResourceDefinition } from './check-crd.ts';

const folder = fileURLToPath(new URL('../../../../../../shared/crds/', import.meta.url));
const files = existsSync(folder) ? readdirSync(folder).filter((file) => file.endsWith('.yaml')) : [];

if (files.length === 0) {
  process.stdout.write('skipped: the definitions of public projects: not found next to this checkout\n');
}

(files.length > 0 ? describe : describe.skip)('the definitions of public projects', () => {
  it.each(files.length > 0 ? files : ['none'])('are accepted without a warning: %s', (file) => {
    const { errors, warnings } = checkCustomResourceDefinition(parse(readFileSync(`${folder}${file}`, 'utf8')));
    expect(errors.map(fieldErrorText)).toEqual([]);
    expect(warnings).toEqual([]);
  });
});
