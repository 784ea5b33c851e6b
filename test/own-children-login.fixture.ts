import { randomBytes } from 'node:crypto';
import { Controller, CustomResource, KubernetesObject, Owns, Reconcile, ReconcileContext, Secret } from 'evenkeel';

@CustomResource({ group: 'docs.example.com', version: 'v1' })
export class Login extends KubernetesObject {}

@Controller(Login)
@Owns(Secret)
export class LoginController {
  @Reconcile()
  async reconcile({ metadata: { name } }: Login, context: ReconcileContext): Promise<void> {
    await context.applyFrom(Secret, `${name}-login`, (stored) => ({
      data: { password: stored?.data?.['password'] ?? newPassword() },
    }));
  }
}

/** Not the injectable Random, which is not secure. */
function newPassword(): string {
  const text = randomBytes(24).toString('base64url');
  // Pods get the decoded bytes of `data`.
  return Buffer.from(text).toString('base64');
}
