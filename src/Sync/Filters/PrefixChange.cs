using System.Text;

namespace RedisLatency.Sync.Filters;

/// <summary>How keys are renamed: what begins with one text begins with another at the target.</summary>
internal sealed record PrefixChange(byte[] From, byte[] To)
{
    public const string Form = "OLD=NEW";

    public static PrefixChange Parse(string text)
    {
        var equals = text.IndexOf('=', StringComparison.Ordinal);
        return new(Encoding.UTF8.GetBytes(text[..equals]), Encoding.UTF8.GetBytes(text[(equals + 1)..]));
    }

    public static string? Problem(string text) =>
        text.Contains('=', StringComparison.Ordinal) ? null : $"{Form} is needed, for instance old:=new:";

    public static string? DoubleOf(IReadOnlyList<string> texts) => texts
        .Select(text => text.Split('=')[0]).GroupBy(from => from).FirstOrDefault(same => same.Count() > 1)?.Key;
}
