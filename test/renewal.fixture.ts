import { IsInt, IsISO8601, IsOptional } from 'class-validator';
import { Clock, Controller, CustomResource, KubernetesObject, Reconcile, requeueAfter, Spec, Status } from 'evenkeel';

export class RenewalSpec {
  @IsInt() days!: number;
}

export class RenewalStatus {
  @IsOptional() @IsISO8601({ strict: true }) renewedAt?: string;
}

@CustomResource({ group: 'docs.example.com', version: 'v1' })
export class Renewal extends KubernetesObject {
  @Spec() spec!: RenewalSpec;
  @Status() status!: RenewalStatus;
}

@Controller(Renewal)
export class RenewalController {
  constructor(readonly clock: Clock) {}

  @Reconcile()
  reconcile({ spec: { days }, status }: Renewal) {
    const leftMs = Date.parse(status.renewedAt ?? '') + days * 86_400_000 - this.clock.now();
    if (leftMs > 0) return requeueAfter(`${leftMs}ms`);
    status.renewedAt = new Date(this.clock.now()).toISOString();
    return requeueAfter(`${days * 24}h`);
  }
}
