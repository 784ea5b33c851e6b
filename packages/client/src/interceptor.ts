import type { TransportResponse } from '@evenkeel/core';
import type { ApiRequest } from './api-request.ts';

/**
 * Wraps each attempt of a request, including retries. It may reject the request by throwing, change it, or read the
 * status and headers of the response. The last interceptor of a list is called last.
 */
export type Interceptor = (
  request: ApiRequest,
  next: (request: ApiRequest) => Promise<TransportResponse>,
) => Promise<TransportResponse>;
