using RedisLatency.Reports.Values;

namespace RedisLatency.Producer.Options;

/// <summary>Reads <c>2s</c>, <c>500</c> or <c>0</c>.</summary>
internal static class WarmUpSyntax
{
    private static readonly ValueSyntax<long> Messages = Syntax.Count(0, 1_000_000_000_000_000, "messages");
    private static readonly ValueSyntax<TimeSpan> Time = Syntax.Duration(most: TimeSpan.FromDays(1));

    public static ValueSyntax<WarmUpLimit> Create() => new("DURATION|COUNT", Read, Write);

    private static ValueReading<WarmUpLimit> Read(string text)
    {
        var messages = Messages.Read(text);
        if (messages.Problem is null)
            return ValueReading.Of(new WarmUpLimit(messages.Value, null));
        var time = Time.Read(text);
        return time.Problem is null
            ? ValueReading.Of(new WarmUpLimit(null, time.Value))
            : ValueReading.Wrong<WarmUpLimit>("a time such as 2s is needed, or a number of messages");
    }

    private static string? Write(WarmUpLimit limit) =>
        limit.Messages is { } messages ? Messages.Write(messages) : Time.Write(limit.Duration!.Value);
}
