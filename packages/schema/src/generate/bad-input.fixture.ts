import { CustomResource, KubernetesObject, PrinterColumn, Scale, SelectableField, Spec, Status } from '@evenkeel/core';
import { Type } from 'class-transformer';
import { IsArray, IsIn, IsInt, IsString, Matches, Max, Min } from 'class-validator';

/** Has an initialiser that throws. */
export class Fragile {
  @IsString() name = (undefined as unknown as { name: string }).name;
}

export class Port {
  @IsInt() @Min(1) @Max(65535) port = 0;
}

/** Has every error of a property. */
export class BadSpec {
  @IsArray() tags!: unknown;
  @IsInt() @Max(5) size = 10;
  @Matches(/^(?<!x)y$/) code!: string;
  @IsString() id = `${Math.random()}`;
  @IsIn(['a', 'b']) missing: unknown = undefined;
  @Type(() => Fragile) fragile?: Fragile;
  @Type(() => Port) port!: Port;
}

/** Has every error of a class. */
@CustomResource({
  group: 5,
  version: 'V1',
  kind: 'bad',
  plural: ['bads'],
  shortNames: 'b',
  categories: ['All'],
  scope: 'namespaced',
  storage: 'yes',
  served: 1,
  deprecated: 'x'.repeat(257),
  labels: { team: 5 },
  annotations: ['owner'],
  shortname: 'b',
} as never)
@PrinterColumn({ name: 'Size', type: 'int', jsonPath: '.spec.size', prority: 1 } as never)
@PrinterColumn({ name: 'Open', type: 'string', jsonPath: '.spec.tags[' })
@PrinterColumn({ name: 'Lost', type: 'string', jsonPath: '.spec.sise' })
@PrinterColumn('Name' as never)
@Scale({ specReplicasPath: 'spec.size', statusReplicasPath: '.spec.size' })
@SelectableField('.spec.colour')
@SelectableField('spec.color')
@SelectableField('.metadata.uid')
export class Bad extends KubernetesObject {
  @Spec() spec!: BadSpec;
  @Status() state!: BadSpec;
}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Twin' })
export class FirstTwin extends KubernetesObject {}

@CustomResource({ group: 'example.com', version: 'v1', kind: 'Twin' })
export class SecondTwin extends KubernetesObject {
  @Spec() spec!: Port;
}
