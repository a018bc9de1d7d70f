using System.Text;

namespace RedisLatency.Reports.Values;

/// <summary>One name in the spellings of the command line (max-in-flight) and of configuration (MaxInFlight).</summary>
public static class Spelling
{
    public static string PascalOf(string kebab) =>
        string.Concat(kebab.Split('-', StringSplitOptions.RemoveEmptyEntries).Select(
            word => char.ToUpperInvariant(word[0]) + word[1..]));

    public static string KebabOf(string pascal)
    {
        var text = new StringBuilder();
        foreach (var letter in pascal)
        {
            if (char.IsUpper(letter) && text.Length > 0)
                text.Append('-');

            text.Append(char.ToLowerInvariant(letter));
        }

        return text.ToString();
    }
}
