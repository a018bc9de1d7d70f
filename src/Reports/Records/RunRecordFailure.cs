namespace RedisLatency.Reports.Records;

/// <summary>Why a run record could not be read.</summary>
public enum RunRecordFailure
{
    /// <summary>There is none.</summary>
    Missing,

    /// <summary>It may not be read.</summary>
    Unreadable,

    /// <summary>It is larger than any run record.</summary>
    TooLarge,

    /// <summary>It is not JSON, or not a run record.</summary>
    Malformed,

    /// <summary>A newer version of the suite wrote it.</summary>
    NewerSchema,
}
