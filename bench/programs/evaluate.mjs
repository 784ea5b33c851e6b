// Defaults, prunes and validates one object of about 1 kB many times. Prints one line of JSON, in microseconds.
import 'reflect-metadata';
import { CustomResource, KubernetesObject, Spec } from '@evenkeel/core';
import { compileSchema } from '@evenkeel/schema/evaluate';
import { classValidator } from '@evenkeel/schema/validator';
import { plainToInstance, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsBoolean,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  MaxLength,
  Min,
  MinLength,
  ValidateNested,
  validateSync,
} from 'class-validator';

// The same kind twice: as classes, decorated by function calls because this file is not compiled, and as the schema of
// a CRD.
class Port {}
class Resources {}
class ShopSpec {}
class Shop extends KubernetesObject {}
decorate(Port, {
  name: [IsString(), MaxLength(15), Matches(/^[a-z]([-a-z0-9]*[a-z0-9])?$/)],
  port: [IsInt(), Min(1), Max(65535)],
  protocol: [IsIn(['TCP', 'UDP', 'SCTP'])],
});
decorate(Resources, { cpu: [IsString(), MaxLength(16)], memory: [IsString(), MaxLength(16)] });
decorate(ShopSpec, {
  replicas: [IsInt(), Min(0), Max(50)],
  minReplicas: [IsInt(), Min(0)],
  image: [IsString(), MinLength(1), MaxLength(512)],
  tier: [IsIn(['bronze', 'silver', 'gold'])],
  paused: [IsBoolean()],
  hosts: [IsString({ each: true }), MaxLength(253, { each: true })],
  ports: [ArrayMaxSize(16), ValidateNested({ each: true }), Type(() => Port)],
  resources: [ValidateNested(), Type(() => Resources)],
  command: [IsOptional(), IsString({ each: true })],
});
decorate(Shop, { spec: [Spec(), ValidateNested(), Type(() => ShopSpec)] });
CustomResource({ group: 'bench.example.com', version: 'v1' })(Shop);

const text = (rules) => ({ type: 'string', ...rules });
const schema = {
  type: 'object',
  required: ['spec'],
  properties: {
    apiVersion: text(),
    kind: text(),
    metadata: { type: 'object' },
    spec: {
      type: 'object',
      required: ['replicas', 'image', 'ports'],
      properties: {
        replicas: { type: 'integer', minimum: 0, maximum: 50, default: 1 },
        minReplicas: { type: 'integer', minimum: 0, default: 0 },
        image: text({ minLength: 1, maxLength: 512 }),
        tier: text({ enum: ['bronze', 'silver', 'gold'], default: 'bronze' }),
        paused: { type: 'boolean', default: false },
        hosts: { type: 'array', maxItems: 16, items: text({ maxLength: 253 }) },
        command: { type: 'array', items: text() },
        ports: {
          type: 'array',
          maxItems: 16,
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['name'],
          items: {
            type: 'object',
            required: ['name', 'port'],
            properties: {
              name: text({ maxLength: 15, pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' }),
              port: { type: 'integer', minimum: 1, maximum: 65535 },
              protocol: text({ enum: ['TCP', 'UDP', 'SCTP'], default: 'TCP' }),
            },
          },
        },
        resources: { type: 'object', properties: { cpu: text({ maxLength: 16 }), memory: text({ maxLength: 16 }) } },
      },
      'x-kubernetes-validations': [
        { rule: 'self.minReplicas <= self.replicas', message: 'minReplicas must not be more than replicas' },
        { rule: "self.tier != 'bronze' || self.ports.all(p, p.port >= 1024 || p.protocol == 'TCP')" },
      ],
    },
  },
};

const object = {
  apiVersion: 'bench.example.com/v1',
  kind: 'Shop',
  metadata: {
    name: 'shop-in-the-middle-of-the-town',
    namespace: 'default',
    uid: '0b2f3a44-6f0e-4c55-9a5e-0c51d0f7a001',
    resourceVersion: '123456',
    generation: 7,
    creationTimestamp: '2026-11-01T12:00:00Z',
    labels: { 'app.kubernetes.io/name': 'shop', 'app.kubernetes.io/part-of': 'town', team: 'blue' },
    annotations: { 'example.com/contact': 'somebody@example.com' },
  },
  spec: {
    replicas: 5,
    minReplicas: 2,
    image:
      'registry.example.com/shops/shop-in-the-middle@sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
    tier: 'bronze',
    paused: false,
    hosts: ['shop.example.com', 'shop.example.org', 'shop.example.net'],
    command: ['/bin/shop', '--verbose', '--listen=0.0.0.0:8080'],
    ports: [
      { name: 'http', port: 8080, protocol: 'TCP' },
      { name: 'https', port: 8443, protocol: 'TCP' },
      { name: 'metrics', port: 9090, protocol: 'TCP' },
    ],
    resources: { cpu: '500m', memory: '512Mi' },
  },
};

const rounds = Number(process.argv[2]);
const compiled = compileSchema(schema);
const withoutRules = structuredClone(schema);
delete withoutRules.properties.spec['x-kubernetes-validations'];
const schemaAlone = compileSchema(withoutRules);
const changed = structuredClone(object);
changed.spec.replicas = 6;
const sparse = structuredClone(object);
for (const name of ['minReplicas', 'tier', 'paused']) delete sparse.spec[name];
sparse.spec.stray = 'pruned';
for (const port of sparse.spec.ports) delete port.protocol;
const wrong = structuredClone(object);
Object.assign(wrong.spec, { replicas: 99, tier: 'wood' });
const stillWrong = structuredClone(wrong);
stillWrong.spec.image = 'shop:2';
const validator = classValidator();
const typed = Object.setPrototypeOf(structuredClone(object), Shop.prototype);
const instance = plainToInstance(Shop, object);

const report = {
  bytes: JSON.stringify(object).length,
  validateUs: time(() => sound(compiled.validate(object))),
  schemaUs: time(() => sound(schemaAlone.validate(object))),
  updateUs: time(() => sound(compiled.validate(changed, { old: object }))),
  ratchetUs: time(() => sound(compiled.validate(stillWrong, { old: wrong }))),
  refusedUs: time(() => refused(compiled.validate(wrong))),
  copyUs: time(() => structured(sparse)),
  decodeUs: time(() => {
    const copy = structured(sparse);
    compiled.prune(copy);
    compiled.default(copy);
    sound(compiled.validate(copy));
  }),
  classUs: time(() => sound(validator.validate(typed))),
  validateSyncUs: time(() => sound(validateSync(instance))),
  compileUs: time(() => sound(compileSchema(schema).validate(object)), 20),
};
console.log(JSON.stringify(report));

/** Returns a deep copy, like the result of a parse. */
function structured(value) {
  if (Array.isArray(value)) return value.map(structured);
  if (typeof value !== 'object' || value === null) return value;
  const copy = {};
  for (const key in value) copy[key] = structured(value[key]);
  return copy;
}

function sound(findings) {
  if (findings.length > 0) throw new Error(`the object is invalid: ${JSON.stringify(findings)}`);
}

function refused(findings) {
  if (findings.length !== 3) throw new Error(`unexpected findings: ${JSON.stringify(findings)}`);
}

/**
 * Returns the microseconds of one call: the minimum of many short measurements, after a warm-up. Other processes of the
 * machine do not count, and a short measurement may run without interruption.
 */
function time(call, divisor = 1) {
  const calls = Math.max(1, Math.ceil(rounds / divisor / 100));
  let least = Number.POSITIVE_INFINITY;
  for (let measurement = 0; measurement < 150; measurement++) {
    const started = performance.now();
    for (let i = 0; i < calls; i++) call();
    least = Math.min(least, performance.now() - started);
  }
  return (least * 1000) / calls;
}

function decorate(type, properties) {
  for (const [name, decorators] of Object.entries(properties)) {
    for (const decorator of decorators) decorator(type.prototype, name);
  }
}
