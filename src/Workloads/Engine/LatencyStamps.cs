namespace RedisLatency.Workloads.Engine;

/// <summary>By which moments latencies of a closed loop are taken.</summary>
internal enum LatencyStamps
{
    // From when an operation was handed to the kernel until its own reply was there.
    Own,

    // As memtier_benchmark: from when the pipeline of its connection began to be filled.
    OfFill,

    // As redis-benchmark: until the first reply to any of its batch.
    OfBatch,
}
