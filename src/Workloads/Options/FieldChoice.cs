namespace RedisLatency.Workloads.Options;

/// <summary>How many fields of a record an operation takes.</summary>
internal enum FieldChoice
{
    All,

    One,
}
