import { readdirSync, readFileSync } from 'node:fs';
import type { MetricsRegistry } from './metrics-registry.ts';

/**
 * Adds metrics of the process, with the names of Prometheus' client libraries, and of V8's heap, with the names of prom-client.
 * Values that this system does not provide are omitted.
 */
export function addProcessMetrics(registry: MetricsRegistry): void {
  const collect = (type: 'counter' | 'gauge', name: string, help: string, read: () => number | undefined): void =>
    registry.collected({ type, name, help }, () => {
      const value = read();
      return value === undefined ? [] : [{ value }];
    });
  const startSeconds = Math.round(Date.now() - performance.now()) / 1000;
  collect('counter', 'process_cpu_seconds_total', 'Total user and system CPU time spent in seconds.', () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  });
  collect('gauge', 'process_resident_memory_bytes', 'Resident memory size in bytes.', () => process.memoryUsage.rss());
  collect('gauge', 'process_virtual_memory_bytes', 'Virtual memory size in bytes.', () => {
    const kib = /^VmSize:\s*(\d+) kB$/m.exec(textOf('/proc/self/status'))?.[1];
    return kib === undefined ? undefined : Number(kib) * 1024;
  });
  collect('gauge', 'process_virtual_memory_max_bytes', 'Maximum amount of virtual memory available in bytes.', () =>
    limitOf('Max address space'),
  );
  collect(
    'counter',
    'process_network_receive_bytes_total',
    'Number of bytes received by the process over the network.',
    () => octets('InOctets'),
  );
  collect(
    'counter',
    'process_network_transmit_bytes_total',
    'Number of bytes sent by the process over the network.',
    () => octets('OutOctets'),
  );
  collect(
    'gauge',
    'process_start_time_seconds',
    'Start time of the process since unix epoch in seconds.',
    () => startSeconds,
  );
  collect('gauge', 'process_open_fds', 'Number of open file descriptors.', () => {
    try {
      return readdirSync('/proc/self/fd').length;
    } catch {
      return undefined;
    }
  });
  collect('gauge', 'process_max_fds', 'Maximum number of open file descriptors.', () => limitOf('Max open files'));
  collect(
    'gauge',
    'nodejs_heap_size_total_bytes',
    'Process heap size from Node.js in bytes.',
    () => process.memoryUsage().heapTotal,
  );
  collect(
    'gauge',
    'nodejs_heap_size_used_bytes',
    'Process heap size used from Node.js in bytes.',
    () => process.memoryUsage().heapUsed,
  );
  collect(
    'gauge',
    'nodejs_external_memory_bytes',
    'Node.js external memory size in bytes.',
    () => process.memoryUsage().external,
  );
}

/** An unlimited value is returned as the largest possible one. */
function limitOf(name: string): number | undefined {
  const limit = new RegExp(`^${name}\\s+(\\d+|unlimited)`, 'm').exec(textOf('/proc/self/limits'))?.[1];
  if (limit === undefined) return undefined;
  return limit === 'unlimited' ? 2 ** 64 : Number(limit);
}

/** Bytes of the network namespace of the process, which is that of the pod. Linux does not count by process. */
function octets(name: string): number | undefined {
  const [names, values] = textOf('/proc/self/net/netstat')
    .split('\n')
    .filter((line) => line.startsWith('IpExt:'))
    .map((line) => line.split(' '));
  const value = values?.[names?.indexOf(name) ?? -1];
  return value === undefined ? undefined : Number(value);
}

/** Returns an empty string if there is no such file, as on systems other than Linux. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
