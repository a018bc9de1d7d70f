using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Records;

/// <summary>Whether the numbers may be relied on.</summary>
/// <param name="Status">Whether they may.</param>
/// <param name="Reasons">Why not, a sentence each, the gravest first; then what to keep in mind.</param>
public sealed record RunVerdict(VerdictStatus Status, IReadOnlyList<string> Reasons)
{
    /// <summary>
    /// Whether what was asked for was measured, even if the instrument or the machine had a part in it.
    /// </summary>
    [JsonIgnore]
    public bool IsMeasured => Status != VerdictStatus.NotValid;
}

/// <summary>Whether the numbers of a run may be relied on.</summary>
public enum VerdictStatus
{
    /// <summary>They may.</summary>
    Valid,

    /// <summary>Measured as asked, but the instrument or the machine made a material part of some number.</summary>
    Doubtful,

    /// <summary>Not what was asked for.</summary>
    NotValid,
}
