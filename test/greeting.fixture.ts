import { IsString } from 'class-validator';
import {
  ConfigMap,
  Controller,
  CustomResource,
  KubernetesObject,
  Owns,
  Reconcile,
  ReconcileContext,
  Spec,
  Status,
} from 'evenkeel';

export class GreetingSpec {
  @IsString({ each: true }) words: string[] = [];
}

export class GreetingStatus {
  @IsString({ each: true }) said?: string[];
}

@CustomResource({ group: 'docs.example.com', version: 'v1' })
export class Greeting extends KubernetesObject {
  @Spec() spec!: GreetingSpec;
  @Status() status!: GreetingStatus;
}

@Controller(Greeting)
@Owns(ConfigMap)
export class GreetingController {
  @Reconcile()
  async reconcile({ metadata: { name }, spec: { words }, status }: Greeting, context: ReconcileContext): Promise<void> {
    for (const word of words) {
      await context.apply({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: `${name}-${word}` } } as ConfigMap);
    }
    await context.prune();
    status.said = words;
  }
}
