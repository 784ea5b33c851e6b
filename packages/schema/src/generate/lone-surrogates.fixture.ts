import { CustomResource, KubernetesObject, PrinterColumn, Rule, Spec, Title } from '@evenkeel/core';
import { IsIn } from 'class-validator';

export class Entry {
  @Title('cut \ud83d') label?: string;
}

@Rule('size(self.name) > 0', { message: 'too small \udc00' })
class StraySpec {
  name: string = 'x\ud800y';
  @IsIn(['ok', 'z\udfff']) size?: string;
  literal?: 'good' | '\ud800';
  object: Record<string, string> = { 'key\ud800': 'value' };
  'k\ud800'?: string;
  entries?: Entry[];
  whole: string = '\ud83d\ude00';
}

@CustomResource({ group: 'example.com', version: 'v1', annotations: { 'example.com/owner': 'web\ud800' } })
@PrinterColumn({ name: 'Size', type: 'string', jsonPath: '.spec.size', description: 'of \ud83d' })
export class Stray extends KubernetesObject {
  @Spec() spec!: StraySpec;
}
