using RedisLatency.Hosting.Running;
using RedisLatency.Reports.Output;

namespace RedisLatency.Hosting.Options;

/// <summary>
/// <c>config show</c> after a program or a verb: the value that each of its options has, and where it came from,
/// instead of a run.
/// </summary>
internal static class ConfigQuestion
{
    private static readonly string[] Words = ["config", "show"];

    /// <summary>Takes the words out of what was typed.</summary>
    /// <returns>Whether they were there.</returns>
    public static bool TakeFrom(ServiceCommand root, ref IReadOnlyList<string> arguments)
    {
        var (command, place) = (root, 0);
        foreach (var word in arguments)
        {
            if (command.Verbs.FirstOrDefault(verb => verb.Name == word) is not { } verb)
                break;
            (command, place) = (verb, place + 1);
        }

        if (!arguments.Skip(place).Take(Words.Length).SequenceEqual(Words))
            return false;
        arguments = [.. arguments.Take(place), .. arguments.Skip(place + Words.Length)];
        return true;
    }

    public static int Answer(IReadOnlyList<EffectiveOption> options, TextWriter output)
    {
        var (names, values) = (options.Max(option => option.Name.Length), options.Max(option => option.Value.Length));
        foreach (var option in options)
        {
            output.WriteLine(PlainText.Clean(
                $"{option.Name.PadRight(names)}  {option.Value.PadRight(Math.Min(values, 40))}  {option.Source}"));
        }

        return ExitCode.Valid;
    }
}
