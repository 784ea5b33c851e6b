import { CustomResource, KubernetesObject, SeededRandom, Spec, Status } from '@evenkeel/core';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { describeWithRealServer, type RealServer, startRealServer } from '../../../../test/real-server.fixture.ts';
import { seed } from '../../../../test/seed.fixture.ts';
import { customResourceDefinitionOf } from '../generate/generate.ts';
import { validate } from './validate.ts';

class Port {
  @IsString()
  @Matches(/^[a-z]+$/)
  name!: string;

  @IsInt()
  @Max(65535)
  port!: number;
}

class DeskSpec {
  @IsInt()
  @Min(1)
  @Max(5)
  size = 3;

  @IsIn(['bronze', 'gold'])
  tier = 'bronze';

  @IsString()
  owner!: string;

  @IsOptional()
  @IsArray()
  @ArrayMaxSize(2)
  @ValidateNested({ each: true })
  @Type(() => Port)
  ports?: Port[];
}

class DeskStatus {
  @IsOptional()
  @IsInt()
  ready?: number;
}

@CustomResource({ group: 'validate.example.com', version: 'v1' })
class Desk extends KubernetesObject {
  @Spec() spec!: DeskSpec;
  @Status() status!: DeskStatus;
}

interface Answer {
  readonly spec?: unknown;
  readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] };
}

describeWithRealServer('validate() compared with a real server', () => {
  let server: RealServer;
  const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const path = '/apis/validate.example.com/v1/namespaces/default/desks';
  const desk = (spec: object): object => ({
    apiVersion: 'validate.example.com/v1',
    kind: 'Desk',
    metadata: { generateName: 'desk-', namespace: 'default' },
    spec,
  });

  beforeAll(async () => {
    server = await startRealServer();
    const definition = await customResourceDefinitionOf(Desk);
    const { status, text } = await server.send('POST', crds, { body: definition });
    if (status !== 201) throw new Error(text);
    await server.sendUntil(({ status }) => status === 200, 'GET', path);
  });
  afterAll(() => server?.stop());

  it('returns the same messages, paths and defaults for 150 random objects', async () => {
    const random = new SeededRandom(seed);
    let refused = 0;
    for (let i = 0; i < 150; i++) {
      const spec = randomSpec(random);
      const { status, text } = await server.send('POST', path, { body: desk(spec) });
      const response = JSON.parse(text) as Answer;
      const ours = await validate(Desk, desk(spec));
      const reported = ours.errors
        .filter(({ by }) => by === 'api-server')
        .map((error) => `${error.path}: ${error.message}`);
      expect({ seed, spec, reported: reported.sort() }).toEqual({ seed, spec, reported: causesOf(response) });
      if (status !== 201) refused++;
      else expect({ seed, stored: ours.object.spec }).toEqual({ seed, stored: response.spec });
    }
    expect(refused).toBeGreaterThan(20);
    expect(refused).toBeLessThan(150);
  });
});

function causesOf({ details }: Answer): string[] {
  const causes = details?.causes ?? [];
  return causes.map(({ field, message }) => `${field === '<nil>' ? '' : field}: ${message}`).sort();
}

function randomSpec(random: SeededRandom): Record<string, unknown> {
  const pick = (...values: readonly unknown[]): unknown => values[random.integer(values.length)];
  const mostly = (value: unknown, ...others: readonly unknown[]): unknown =>
    random.integer(4) > 0 ? value : pick(...others);
  const port = (): unknown =>
    mostly({ name: mostly('http', 'HTTP', '', 5), port: mostly(80, 70_000, 'x', 1.5) }, {}, 5);
  const spec = {
    size: mostly(2, 0, 9, 'x', undefined, null),
    tier: mostly('gold', 'wood', undefined, 7),
    owner: mostly('ann', undefined, '', []),
    ports: mostly(undefined, [port()], [port(), port()], [port(), port(), port()], {}),
    stray: mostly(undefined, 1),
  };
  return JSON.parse(JSON.stringify(spec)) as Record<string, unknown>;
}
