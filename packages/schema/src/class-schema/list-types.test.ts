import { CustomResource, KubernetesObject, ListType, Spec } from '@evenkeel/core';
import { Type } from 'class-transformer';
import { ArrayUnique, IsInt, IsString, ValidateNested } from 'class-validator';
import { generateCustomResourceDefinitions } from '../generate/generate.ts';

class Port {
  @IsString() name!: string;
  @IsInt() port!: number;
}

const portName = (port: Port) => port.name;

class SampleSpec {
  @IsString({ each: true }) @ArrayUnique() @ListType('atomic') set!: string[];

  @ValidateNested({ each: true })
  @Type(() => Port)
  @ArrayUnique(portName)
  @ListType('atomic')
  atomic!: Port[];

  @ValidateNested({ each: true })
  @Type(() => Port)
  @ArrayUnique(portName)
  @ListType('map', 'port')
  otherKey!: Port[];

  @ValidateNested({ each: true })
  @Type(() => Port)
  @ArrayUnique(portName)
  @ListType('map', 'name', 'port')
  moreKeys!: Port[];

  @ValidateNested({ each: true })
  @Type(() => Port)
  @ArrayUnique(portName)
  @ListType('map', 'name')
  same!: Port[];
}

@CustomResource({ group: 'sample.example.com', version: 'v1' })
class Sample extends KubernetesObject {
  @Spec() spec!: SampleSpec;
}

describe('@ListType() and @ArrayUnique()', () => {
  it('contradict each other if they declare different list types or keys', async () => {
    const { findings } = await generateCustomResourceDefinitions([Sample]);
    const contradictions = findings.filter(({ level }) => level === 'error');
    expect(contradictions.map(({ property, message }) => `${property}: ${message}`)).toEqual([
      'atomic: @ListType("atomic") and @ArrayUnique(), which makes the list a "map" by "name", contradict each other; remove one of them',
      'moreKeys: @ListType("map", "name", "port") and @ArrayUnique(), which makes the list a "map" by "name", contradict each other; remove one of them',
      'otherKey: @ListType("map", "port") and @ArrayUnique(), which makes the list a "map" by "name", contradict each other; remove one of them',
      'set: @ListType("atomic") and @ArrayUnique(), which makes the list a "set", contradict each other; remove one of them',
    ]);
  });
});
