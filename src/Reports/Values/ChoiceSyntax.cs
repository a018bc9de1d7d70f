using System.Reflection;
using System.Runtime.Serialization;

namespace RedisLatency.Reports.Values;

internal static class ChoiceSyntax
{
    public static IReadOnlyList<(string Name, T Value)> Words<T>()
        where T : struct, Enum =>
        [.. Enum.GetValues<T>().Select(value => (NameOf(value), value))];

    public static ValueReading<T> Read<T>(string text, IReadOnlyList<(string Name, T Value)> words)
    {
        foreach (var (name, value) in words)
        {
            if (name.Equals(text, StringComparison.OrdinalIgnoreCase))
            {
                return ValueReading.Of<T>(value);
            }
        }

        var names = words.Select(word => word.Name).ToArray();
        var nearest = NearestName.Of(text, names) is { } near ? $"; did you mean {near}?" : "";
        return ValueReading.Wrong<T>($"one of {string.Join(", ", names)} is needed{nearest}");
    }

    public static string Write<T>(T value, IReadOnlyList<(string Name, T Value)> words) =>
        words.First(word => EqualityComparer<T>.Default.Equals(word.Value, value)).Name;

    private static string NameOf<T>(T value)
        where T : struct, Enum =>
        typeof(T).GetField(value.ToString())!.GetCustomAttribute<EnumMemberAttribute>()?.Value
        ?? Spelling.KebabOf(value.ToString());
}
