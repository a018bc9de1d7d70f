namespace RedisLatency.Reports.Sections;

/// <summary>A paragraph.</summary>
public sealed class Note(string text) : SectionPart
{
    public string Text => text;

    internal override SectionPart In(Extent extent) => this;
}
