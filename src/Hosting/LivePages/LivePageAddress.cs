using System.Net;
using RedisLatency.Hosting.Telemetry;

namespace RedisLatency.Hosting.LivePages;

/// <summary>Where the live page is served: <c>ADDRESS:PORT</c>, an address of this machine.</summary>
internal static class LivePageAddress
{
    /// <summary>The option that has it served.</summary>
    public const string Option = "--live-page";

    public static string? Problem(string text) => Parse(text) is null
        ? "ADDRESS:PORT is needed, an address of this machine, for instance 127.0.0.1:8080; port 0 is any that is free"
        : null;

    /// <summary>The address; null where it is none.</summary>
    public static IPEndPoint? Parse(string text) => MetricsAddress.Parse($"http://{text}");
}
