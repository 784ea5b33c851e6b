import type { StructuralSchema } from '../../evaluate/structural-schema.ts';
import { exact, notExpressible, type Outcome, type ValidatorInstance } from '../rule/constraint.ts';

/** Writes `@ArrayUnique()` into the schema of a list. */
export function uniqueItems(schema: StructuralSchema, validator: ValidatorInstance): Outcome {
  const identity = identityOf(validator);
  switch (identity.by) {
    case 'value':
      return uniqueValues(schema);
    case 'property':
      return uniqueKeys(schema, identity.name);
    case 'function':
      return notExpressible('its function cannot be translated; return a single property: (item) => item.name');
  }
}

type Identity =
  | { readonly by: 'value' }
  | { readonly by: 'property'; readonly name: string }
  | { readonly by: 'function' };

/**
 * How items are compared. The function of `@ArrayUnique(...)` is not in its metadata, so the validator is called with
 * items that record which properties it reads.
 */
function identityOf({ accepts }: ValidatorInstance): Identity {
  if (accepts === undefined) return { by: 'function' };
  try {
    const read = new Set<string>();
    let isOpaque = false;
    const opaque = () => {
      isOpaque = true;
      return undefined;
    };
    const item = () =>
      new Proxy(Object.create(null) as object, {
        ...everyTrap(opaque),
        get: (_target, name) => {
          if (typeof name === 'string') read.add(name);
          else isOpaque = true;
          return new Proxy(() => undefined, everyTrap(opaque));
        },
      });
    const areUnique = accepts([item(), item()]);
    const [name] = read;
    if (isOpaque || read.size > 1 || !areUnique) return { by: 'function' };
    if (name === undefined) return { by: 'value' };
    const differ = (left: unknown, right: unknown) => accepts([{ [name]: left }, { [name]: right }]);
    const isProperty = differ('', 0) && differ('a', 'A') && differ(false, 0) && !differ('', '') && !differ('a', 'a');
    return isProperty ? { by: 'property', name } : { by: 'function' };
  } catch {
    return { by: 'function' };
  }
}

function everyTrap(trap: () => undefined): ProxyHandler<object> {
  const traps: Record<string, () => undefined> = {};
  for (const name of Object.getOwnPropertyNames(Reflect)) traps[name] = trap;
  return traps;
}

const scalarTypes = ['string', 'integer', 'number', 'boolean'];

function uniqueValues(schema: StructuralSchema): Outcome {
  const { items } = schema;
  const isScalar = scalarTypes.includes(items?.type ?? '') || items?.['x-kubernetes-int-or-string'] === true;
  if (!isScalar) {
    return notExpressible(
      'it compares objects by identity, so the objects of a request are always unique; name their key: @ArrayUnique((item) => item.name)',
    );
  }
  return listType(schema, { 'x-kubernetes-list-type': 'set' });
}

function uniqueKeys(schema: StructuralSchema, name: string): Outcome {
  const key = schema.items?.properties?.[name];
  if (key === undefined || !scalarTypes.includes(key.type ?? '')) {
    return notExpressible(`its function reads .${name}, which its items do not have as a string, number or boolean`);
  }
  if (schema.items?.required?.includes(name) !== true && key.default === undefined) {
    return notExpressible(`its function reads .${name}, which may be missing; make it required`);
  }
  return listType(schema, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': [name] });
}

function listType(
  schema: StructuralSchema,
  wanted: Pick<StructuralSchema, 'x-kubernetes-list-type' | 'x-kubernetes-list-map-keys'>,
): Outcome {
  const declared = schema['x-kubernetes-list-type'];
  const text = wanted['x-kubernetes-list-type'];
  if (declared !== undefined && declared !== text) {
    return notExpressible(`the list is declared as "${declared}", but it needs the list type "${text}"`);
  }
  Object.assign(schema, wanted);
  return exact;
}
