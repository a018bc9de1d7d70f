using RedisLatency.Fixtures;

namespace RedisLatency.Integration.BadInput;

/// <summary>How a process ended, and what it said: never with a stack trace.</summary>
internal sealed record Outcome(int ExitCode, string Output, string Errors)
{
    /// <summary>Runs a service to its end.</summary>
    public static Task<Outcome> Of(string project, params string[] arguments) =>
        Of(ServiceProcess.Start(project, arguments));

    /// <summary>Runs a service with environment variables of its own to its end.</summary>
    public static Task<Outcome> With(string variable, string value, string project, params string[] arguments) =>
        Of(ServiceProcess.Start(project, new Dictionary<string, string> { [variable] = value }, arguments));

    /// <summary>Runs a shell script to its end; see <see cref="ServiceProcess.StartShell"/>.</summary>
    public static Task<Outcome> OfShell(string script) => Of(ServiceProcess.StartShell(script));

    /// <summary>Waits for the end of a process.</summary>
    public static async Task<Outcome> Of(ServiceProcess process)
    {
        await using (process)
        {
            var outcome = new Outcome(await process.End(), process.Output.ToString(), process.Errors.ToString());
            outcome.ShouldHaveNoStackTrace();
            return outcome;
        }
    }

    /// <summary>Ended with that code, and said on standard error what was wrong.</summary>
    public void ShouldSay(int exitCode, params string[] parts)
    {
        ExitCode.ShouldBe(exitCode, ToString());
        foreach (var part in parts)
            Errors.ShouldContain(part, Case.Sensitive, ToString());
    }

    /// <summary>Refused with that code: said so, and printed no result.</summary>
    public void ShouldBeRefused(int exitCode, params string[] parts)
    {
        ShouldSay(exitCode, parts);
        Output.ShouldNotContain("VERDICT", Case.Sensitive, ToString());
    }

    /// <summary>Ended with that code, and printed a summary that says so too.</summary>
    public void ShouldReport(int exitCode, params string[] parts)
    {
        ExitCode.ShouldBe(exitCode, ToString());
        Output.ShouldContain("VERDICT", Case.Sensitive, ToString());
        Output.ShouldContain($" exit={exitCode}", Case.Sensitive, ToString());
        foreach (var part in parts)
            Output.ShouldContain(part, Case.Sensitive, ToString());
    }

    /// <inheritdoc/>
    public override string ToString() => $"exit {ExitCode}\nstandard output:\n{Output}\nstandard error:\n{Errors}";

    private void ShouldHaveNoStackTrace()
    {
        // Not "   at p50", where a sentence is wrapped.
        Errors.ShouldNotMatch(@"\s{3}at \S+\(", ToString());
        Output.ShouldNotMatch(@"\s{3}at \S+\(", ToString());
        Errors.ShouldNotContain("an internal error", Case.Insensitive, ToString());
    }
}
