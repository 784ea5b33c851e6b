import { fields } from './fields.fixture.ts';
import { formatting } from './formatting.fixture.ts';
import { kubernetes } from './kubernetes.fixture.ts';
import { lists } from './lists.fixture.ts';
import { logic } from './logic.fixture.ts';
import { operators } from './operators.fixture.ts';
import { optionals } from './optionals.fixture.ts';
import { refusals } from './refusals.fixture.ts';
import { regex } from './regex.fixture.ts';
import { strings } from './strings.fixture.ts';
import type { ConformanceRow } from './subject.fixture.ts';
import { syntax } from './syntax.fixture.ts';
import { time } from './time.fixture.ts';
import { types } from './types.fixture.ts';

/** All rows by subject. Results and costs are those of Kubernetes 1.36 (cel-go v0.26). */
export const conformance: Readonly<Record<string, readonly ConformanceRow[]>> = {
  operators,
  logic,
  types,
  strings,
  formatting,
  regex,
  lists,
  fields,
  optionals,
  time,
  kubernetes,
  refusals,
  syntax,
};
