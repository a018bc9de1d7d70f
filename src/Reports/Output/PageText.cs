namespace RedisLatency.Reports.Output;

/// <summary>Text for a page of some width.</summary>
public sealed class PageText(int width) : StringWriter, IPage
{
    public int Width => width;

    public override string NewLine => "\n";
}
