namespace RedisLatency.Reports.Sections;

/// <summary>Where a part of a section stands: in the answer on one screen, in the details, or in both.</summary>
[Flags]
public enum Extent
{
    Answer = 1,
    Details = 2,
    Both = Answer | Details,
}
