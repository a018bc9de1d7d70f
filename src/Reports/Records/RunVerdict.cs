using System.Text.Json.Serialization;

namespace RedisLatency.Reports.Records;

/// <summary>Whether the numbers may be relied on.</summary>
/// <param name="Status">Whether they may.</param>
/// <param name="Reasons">Why not, a sentence each, the gravest first; then what to keep in mind.</param>
public sealed record RunVerdict(VerdictStatus Status, IReadOnlyList<string> Reasons)
{
    /// <summary>
    /// No percentile up to this one can have been made by the machine, nor has too few samples, in any series that is
    /// shown first; null where there is none.
    /// </summary>
    public double? UpTo { get; init; }

    /// <summary>
    /// Whether what was asked for was measured, even if the instrument or the machine had a part in it.
    /// </summary>
    [JsonIgnore]
    public bool IsMeasured => Status != VerdictStatus.NotValid;
}
