import type { TransportResponse } from '@evenkeel/core';
import type { ApiRequest } from './api-request.ts';

/**
 * Stands around each sending of a request, retries included: may refuse it by throwing, change it, or look at the answer's
 * head. The last of a list stands nearest to the socket.
 */
export type Interceptor = (
  request: ApiRequest,
  next: (request: ApiRequest) => Promise<TransportResponse>,
) => Promise<TransportResponse>;
