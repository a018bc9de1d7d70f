using RedisLatency.Hosting.Options;

namespace RedisLatency.Tool.Tests;

/// <summary>What <c>-h</c> prints of every word of the program.</summary>
public sealed class HelpTests
{
    private const int Screen = 45;
    private const string Typed = "redis-latency";

    // -h of another tool's command line is that tool's.
    public static TheoryData<string> Commands => [.. Below(ToolProgram.Create(), string.Empty)
        .Where(word => word.Command is not ForeignCommand).Select(word => word.Words)];

    [Theory]
    [MemberData(nameof(Commands))]
    public async Task Help_ThatIsShort_IsOneScreen(string words)
    {
        var output = await Run([.. words.Split(' ', StringSplitOptions.RemoveEmptyEntries), "-h"]);

        var lines = output.TrimEnd('\n').Split('\n');
        lines.Length.ShouldBeInRange(3, Screen, output);
        // But for examples, which can be pasted.
        lines.Where(line => !line.StartsWith($"  {Typed} ", StringComparison.Ordinal)).ShouldAllBe(line => line.Length <= 80);
        lines.Count(line => line.StartsWith("  # ", StringComparison.Ordinal)).ShouldBeLessThanOrEqualTo(3);
    }

    [Fact]
    public void Options_ThatMatterMost_AreThere() =>
        Below(ToolProgram.Create(), string.Empty).ShouldAllBe(word =>
            word.Command.Common.All(name => word.Command.Options.Any(option => option.Name == name)));

    private static IEnumerable<(string Words, ServiceCommand Command)> Below(ServiceCommand command, string words) =>
        command.Verbs.SelectMany(verb => Below(verb, $"{words} {verb.Name}".Trim())).Prepend((words, command));

    // A service is a program of its own, as the tool starts it.
    private static async Task<string> Run(string[] words)
    {
        using var output = new StringWriter { NewLine = "\n" };
        using var error = new StringWriter();
        var tool = ToolProgram.Create();
        var service = tool.Verbs.FirstOrDefault(verb => verb.IsProgram && verb.Name == words[0]);
        var surroundings = new CommandSurroundings
        {
            Output = output,
            Error = error,
            Program = service is null ? Typed : $"{Typed} {service.Name}",
        };
        var code = await new CommandLineProgram(service ?? tool).RunAsync(
            service is null ? words : words[1..], surroundings, TestContext.Current.CancellationToken);
        code.ShouldBe(0, error.ToString());
        return output.ToString();
    }
}
