import { awaitChange, ConfigMap, Controller, Owns, Reconcile, ReconcileContext, type ReconcileResult } from 'evenkeel';
import { Dictionary } from './dictionary.ts';
import { Greeting } from './greeting.ts';

@Controller(Greeting)
@Owns(ConfigMap)
export class GreetingController {
  constructor(private readonly dictionary: Dictionary) {}

  @Reconcile()
  async reconcile({ metadata, spec }: Greeting, context: ReconcileContext): Promise<ReconcileResult> {
    const stars = '*'.repeat(spec.frame?.width ?? 0);
    await context.apply<ConfigMap>({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: metadata.name },
      data: { text: `${stars}${this.dictionary.hello(spec.language)}, ${spec.name}!${stars}` },
    });
    context.conditions.set('Ready', true, 'Greeted');
    return awaitChange();
  }
}
