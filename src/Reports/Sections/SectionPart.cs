namespace RedisLatency.Reports.Sections;

/// <summary>What a section is made of: a <see cref="Table"/> or a <see cref="Note"/>.</summary>
public abstract class SectionPart
{
    /// <summary>The part as it stands there; null where nothing of it does.</summary>
    internal abstract SectionPart? In(Extent extent);
}
